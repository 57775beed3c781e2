import type { KitchenTotal } from '#contracts/kitchen'
import type { SchoolDate } from '#kernel/school-time'
import type { OrderRow } from '../orders/order'

/** What the kitchen is shown of an order: what and when, not whose or for how much. */
export const kitchenColumns = [
  'id',
  'meal_date',
  'item_id',
  'item_name',
  'item_type',
  'category',
  'side_dish',
  'comments',
  'status',
  'payment_status',
  'cancelled_late',
  'absent',
] as const
export type KitchenRow = Pick<OrderRow, (typeof kitchenColumns)[number]>

/** Where a date stands in the calendar that the kitchen looks at. */
export type PlaceOf = (date: SchoolDate) => { weekNumber: number; dayOfWeek: number }

type Comment = readonly [text: string, student: string]

/** How many orders of one day are the same in all that the kitchen counts by; `ids` of those that are pending, `absent` of whose child is ill. */
export type AlikeOrders = Omit<KitchenRow, 'id' | 'comments' | 'cancelled_late' | 'absent'> & {
  count: number
  absent: number
  ids: readonly string[] | null
  comments: readonly Comment[] | null
}

/** Portions per day and item, in the order of the first of their groups, with each protein's and side's count, and the plates. */
export const totalsOf = (groups: readonly AlikeOrders[], placeOf: PlaceOf): KitchenTotal[] => {
  const items = new Map<string, AlikeOrders[]>()
  for (const group of groups) {
    const item = JSON.stringify([group.meal_date, group.item_id, group.item_name, group.item_type])
    items.set(item, [...(items.get(item) ?? []), group])
  }
  return [...items.values()].map((alike) => totalOf(alike, placeOf))
}

const totalOf = (groups: readonly AlikeOrders[], placeOf: PlaceOf): KitchenTotal => {
  const item = groups[0]!
  const cooked = groups.filter(({ status }) => status === 'pending' || status === 'completed')
  const absent = cooked.reduce((sum, group) => sum + group.absent, 0)
  const count = (counted: readonly AlikeOrders[]) => counted.reduce((sum, group) => sum + group.count, 0)
  return {
    ...placeOf(item.meal_date),
    mealDate: item.meal_date,
    menuItemId: item.item_id,
    menuItem: item.item_name,
    type: item.item_type,
    total: count(cooked),
    unpaid: count(cooked.filter(({ payment_status: payment }) => payment === 'pending')),
    completed: count(cooked.filter(({ status }) => status === 'completed')),
    cancelledLate: count(groups) - count(cooked),
    ...(absent > 0 && { absent }),
    proteins: portionsOf(cooked, ({ category }) => category),
    sides: portionsOf(cooked, ({ side_dish: side }) => side),
    plates: platesOf(cooked),
    pendingOrderIds: cooked.flatMap(({ ids }) => ids ?? []).toSorted(),
  }
}

const portionsOf = (
  groups: readonly AlikeOrders[],
  chosenIn: (group: AlikeOrders) => string | null,
): KitchenTotal['proteins'] => {
  const portions = new Map<string, number>()
  for (const group of groups) {
    const chosen = chosenIn(group)
    if (chosen !== null) portions.set(chosen, (portions.get(chosen) ?? 0) + group.count)
  }
  return [...portions]
    .map(([name, count]) => ({ name, count }))
    .toSorted((one, other) => compare(one.name, other.name))
}

type Plate = KitchenTotal['plates'][number]

/** What goes on a plate together, the most frequent first, with the remarks of its orders. */
const platesOf = (groups: readonly AlikeOrders[]): Plate[] => {
  const plates = new Map<string, AlikeOrders[]>()
  for (const group of groups) {
    const plate = JSON.stringify([group.category, group.side_dish])
    plates.set(plate, [...(plates.get(plate) ?? []), group])
  }
  return [...plates.values()]
    .map((alike) => ({
      category: alike[0]!.category,
      sideDish: alike[0]!.side_dish,
      count: alike.reduce((sum, { count }) => sum + count, 0),
      comments: remarksOf(alike.flatMap(({ comments }) => comments ?? [])),
    }))
    .toSorted(
      (one, other) =>
        other.count - one.count ||
        compare(one.category ?? '', other.category ?? '') ||
        compare(one.sideDish ?? '', other.sideDish ?? ''),
    )
}

/** The same words once, however they are capitalised, with whose they are by name; the most frequent first. */
const remarksOf = (comments: readonly Comment[]): Plate['comments'] => {
  const remarks = new Map<string, { text: string; students: string[] }>()
  for (const [text, student] of comments.toSorted(([one], [other]) => compare(one, other))) {
    const words = text.toLowerCase()
    const known = remarks.get(words)
    if (known) known.students.push(student)
    else remarks.set(words, { text, students: [student] })
  }
  return [...remarks.values()]
    .map(({ text, students }) => ({ text, count: students.length, students: students.toSorted(compare) }))
    .toSorted((one, other) => other.count - one.count || compare(one.text, other.text))
}

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other))
