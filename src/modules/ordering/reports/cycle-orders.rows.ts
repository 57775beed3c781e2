import type { Pool } from 'pg'
import type { QueryOf } from '#contracts/endpoint'
import type { cycleOrders, CycleOrderSort } from '#contracts/cycle-orders'
import type { Direction } from '#contracts/sorting'
import type { OrderRow } from '../orders/order'
import { orderColumns } from '../orders/orders.rows'

export type CycleOrderFilter = Pick<
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
  pool: Pool,
  filter: CycleOrderFilter,
  { sort, direction, offset, limit }: CycleOrderPage,
): Promise<{ rows: OrderRow[]; total: number }> => {
  const matching = conditions(filter)
  const { where, values } = filter.after === undefined ? matching : behind(filter.after, matching)
  const [{ rows }, counted] = await Promise.all([
    pool.query<OrderRow>(
      `select ${orderColumns} from ordering.orders ${whereOf(where)}
       order by ${orderBy(sort, direction)} offset $${values.length + 1} limit $${values.length + 2}`,
      [...values, offset, limit],
    ),
    pool.query<{ total: number }>(
      `select count(*)::int as total from ordering.orders ${whereOf(matching.where)}`,
      [...matching.values],
    ),
  ])
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

type Conditions = { where: readonly string[]; values: readonly unknown[] }

const whereOf = (where: readonly string[]) => (where.length > 0 ? `where ${where.join(' and ')}` : '')

/** The conditions, and behind this place of the list. */
const behind = (place: string, { where, values }: Conditions): Conditions => {
  const [at, week, day, id] = [1, 2, 3, 4].map((more) => `$${values.length + more}`)
  return {
    // The first half, which follows from the second, is what an index can start from.
    where: [
      ...where,
      `placed_at <= ${at}::timestamptz`,
      `(placed_at < ${at}::timestamptz or (week, day, id) > (${week}::int, ${day}::int, ${id}))`,
    ],
    values: [...values, ...place.split('~')],
  }
}

const conditions = (filter: CycleOrderFilter): Conditions => {
  const values: unknown[] = []
  const where: string[] = []
  const given = (condition: (place: string) => string, value: unknown) => {
    if (value !== undefined) where.push(condition(`$${values.push(value)}`))
  }
  given((id) => `cycle_id = ${id}::int`, filter.cycleId)
  given((week) => `week = ${week}::int`, filter.weekNumber)
  given((day) => `day = ${day}::int`, filter.dayOfWeek)
  given((status) => `status = ${status}`, filter.status)
  given((id) => `item_id = ${id}::int`, filter.menuItemId)
  return { where, values }
}
