import type { Knex } from 'knex'
import type { cycleOrders, CycleOrderSort } from '#contracts/cycle-orders'
import type { QueryOf } from '#contracts/endpoint'
import type { Direction } from '#contracts/sorting'
import type { OrderRow } from '../orders/order'

type CycleOrderFilter = Pick<
  QueryOf<typeof cycleOrders>,
  'cycleId' | 'weekNumber' | 'dayOfWeek' | 'status' | 'menuItemId' | 'after'
>
export type CycleOrderPage = { sort: CycleOrderSort; direction: Direction; offset: number; limit: number }

/** Where this order stands in the list, as `after` names it. */
export const placeOf = ({ placed_at: at, week, day, id }: OrderRow): string =>
  [new Date(at).toISOString(), week, day, id].join('~')

const columns: Record<Exclude<CycleOrderSort, 'date'>, readonly string[]> = {
  student: ['lower(left(student_name, 100))'],
  item: ['lower(left(item_name, 100))'],
  day: ['week', 'day'],
  price: ['price'],
  status: ['status'],
}

/** By date the meals of one checkout follow each other by their day; otherwise what is equal as it was placed. */
const orderBy = (sort: CycleOrderSort, direction: Direction): string => {
  const back = direction === 'asc' ? 'desc' : 'asc'
  return sort === 'date'
    ? `placed_at ${direction}, week ${back}, day ${back}, id ${back}`
    : [...columns[sort], 'placed_at', 'id'].map((column) => `${column} ${direction}`).join(', ')
}

/** One page of the orders that match; and how many match in all. */
export const cycleOrdersPage = async (
  knex: Knex,
  { after, cycleId, weekNumber: week, dayOfWeek: day, status, menuItemId }: CycleOrderFilter,
  { sort, direction, offset, limit }: CycleOrderPage,
): Promise<{ rows: OrderRow[]; total: number }> => {
  const matching = knex<OrderRow>('ordering.orders')
  if (cycleId !== undefined) matching.where('cycle_id', cycleId)
  // As integers: a number that is too large for the column finds nothing.
  if (week !== undefined) matching.whereRaw('week = ?::int', [week])
  if (day !== undefined) matching.whereRaw('day = ?::int', [day])
  if (status !== undefined) matching.where('status', status)
  if (menuItemId !== undefined) matching.where('item_id', menuItemId)
  const page = matching.clone().orderByRaw(orderBy(sort, direction)).offset(offset).limit(limit)
  if (after !== undefined) {
    const [at, ...behind] = after.split('~')
    // The first half, which follows from the second, is what an index can start from.
    page.whereRaw(
      'placed_at <= ?::timestamptz and (placed_at < ?::timestamptz or (week, day, id) > (?::int, ?::int, ?))',
      [at!, at!, ...behind],
    )
  }
  const [rows, counted] = await Promise.all([page, matching.clone().count({ total: '*' }).first()])
  return { rows, total: Number(counted?.total) }
}
