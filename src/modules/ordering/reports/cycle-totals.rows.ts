import type { SchoolDate } from '#kernel/school-time'
import type { Reader } from '#platform/database'

/**
 * `orders` counts all of a cycle's, cancelled ones too; `revenue` is the price of the completed and the pending ones in
 * ngwee, the total revenue of Revenue Stats; `completed` that of the completed.
 */
export type CycleTotals = { orders: number; revenue: number; completed: number }

/** The totals of these cycles, or (null) of all; a cycle without orders is absent. */
export const orderTotals = async (
  from: Reader,
  cycleIds: readonly number[] | null,
): Promise<Map<number, CycleTotals>> => {
  const { rows } = await from.query<CycleTotals & { id: number }>(
    `select cycle_id as id, count(*)::int as orders,
       coalesce(sum(price) filter (where status in ('completed', 'pending')), 0)::float8 as revenue,
       coalesce(sum(price) filter (where status = 'completed'), 0)::float8 as completed
     from ordering.orders where $1::int[] is null or cycle_id = any($1) group by cycle_id`,
    [cycleIds],
  )
  return new Map(rows.map(({ id, ...totals }) => [id, totals]))
}

/** How many pending and completed orders of other cycles stand on each date from `from` to `to` that has any. */
export const ordersOnDates =
  (reader: Reader) => async (from: SchoolDate, to: SchoolDate, exceptCycleId: number | null) => {
    const { rows } = await reader.query<{ date: SchoolDate; orders: number }>(
      `select meal_date::text as date, count(*)::int as orders from ordering.orders
       where meal_date between $1 and $2 and status in ('pending', 'completed')
         and cycle_id is distinct from $3::int
       group by meal_date order by meal_date`,
      [from, to, exceptCycleId],
    )
    return rows
  }
