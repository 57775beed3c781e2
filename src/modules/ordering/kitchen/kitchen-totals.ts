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

type Comment = readonly [placedAt: string, orderId: string, comment: string]

/** How many orders of one day are the same in all that the kitchen counts by; `ids` of those that are pending, `absent` of whose child is ill. */
export type AlikeOrders = Omit<KitchenRow, 'id' | 'comments' | 'cancelled_late' | 'absent'> & {
  count: number
  absent: number
  ids: readonly string[] | null
  comments: readonly Comment[] | null
}

/** Portions per day and item, in the order of the first of their groups, with each protein's and side's count and comments. */
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
    pendingOrderIds: cooked.flatMap(({ ids }) => ids ?? []).toSorted(),
  }
}

const portionsOf = (
  groups: readonly AlikeOrders[],
  chosenIn: (group: AlikeOrders) => string | null,
): KitchenTotal['proteins'] => {
  const portions = new Map<string, { count: number; comments: Comment[] }>()
  for (const group of groups) {
    const chosen = chosenIn(group)
    if (chosen === null) continue
    const { count, comments } = portions.get(chosen) ?? { count: 0, comments: [] }
    portions.set(chosen, { count: count + group.count, comments: [...comments, ...(group.comments ?? [])] })
  }
  return [...portions]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, { count, comments }]) => ({ name, count, comments: asPlaced(comments) }))
}

/** The words of the comments, those of the earliest order first. */
const asPlaced = (comments: readonly Comment[]): string[] =>
  comments
    .toSorted(([at, id], [otherAt, otherId]) => compare(at, otherAt) || compare(id, otherId))
    .map(([, , comment]) => comment)

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other))
