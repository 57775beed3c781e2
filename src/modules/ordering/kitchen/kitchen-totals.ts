import type { KitchenTotal } from '#contracts/kitchen'
import type { SchoolDate } from '#kernel/school-time'
import type { OrderRow } from '../orders/order'

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

export type PlaceOf = (date: SchoolDate) => { weekNumber: number; dayOfWeek: number }

type Comment = readonly [text: string, student: string]

/** Groups orders equal in all the kitchen counts; `ids` of pending ones, `absent` of ill children. */
export type AlikeOrders = Omit<KitchenRow, 'id' | 'comments' | 'cancelled_late' | 'absent'> & {
  count: number
  absent: number
  ids: readonly string[] | null
  comments: readonly Comment[] | null
}

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
