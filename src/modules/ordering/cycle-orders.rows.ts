import type { Pool } from 'pg'
import type { QueryOf } from '#contracts/endpoint'
import type { cycleOrders } from '#contracts/cycle-orders'
import type { OrderRow } from './order'
import { orderColumns } from './orders.rows'

export type CycleOrderFilter = Omit<QueryOf<typeof cycleOrders>, 'page' | 'pageSize'>

/** One page of the orders that match, newest first, meals of one checkout by their day; and how many match in all. */
export const cycleOrdersPage = async (
  pool: Pool,
  filter: CycleOrderFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ rows: OrderRow[]; total: number }> => {
  const { where, values } = conditions(filter)
  const [{ rows }, counted] = await Promise.all([
    pool.query<OrderRow>(
      `select ${orderColumns} from ordering.orders ${where}
       order by placed_at desc, week, day, id offset $${values.length + 1} limit $${values.length + 2}`,
      [...values, offset, limit],
    ),
    pool.query<{ total: number }>(`select count(*)::int as total from ordering.orders ${where}`, values),
  ])
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

const conditions = (filter: CycleOrderFilter) => {
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
  given((until) => `placed_at <= ${until}::timestamptz`, filter.placedUntil)
  return { where: where.length > 0 ? `where ${where.join(' and ')}` : '', values }
}
