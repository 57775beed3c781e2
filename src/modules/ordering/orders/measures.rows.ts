import type { Pool } from 'pg'
import { schoolMoment } from '#kernel/school-time'
import type { Now } from '#platform/clock'
import type { Measure } from '#platform/module'

const statuses = ['pending', 'completed', 'cancelled', 'refunded']

/** What the kitchen has before it today, and what is ordered without being paid for. */
export const orderMeasures = ({
  database: { pool },
  now,
  zone,
}: {
  database: { pool: Pool }
  now: Now
  zone: string
}): Measure[] => [
  {
    name: 'tuckshop_orders_today',
    help: 'Orders for today, by the school’s calendar, by status',
    label: 'status',
    values: () => countOfDay(pool, schoolMoment(now(), zone).date),
  },
  {
    name: 'tuckshop_orders_unpaid_ngwee',
    help: 'What orders placed for an alternative payment still wait for, in ngwee',
    value: async () => {
      const { rows } = await pool.query<{ unpaid: number }>(
        `select coalesce(sum(price), 0)::float8 as unpaid from ordering.orders
         where payment_status = 'pending' and status in ('pending', 'completed')`,
      )
      return rows[0]?.unpaid ?? 0
    },
  },
]

const countOfDay = async (pool: Pool, day: string): Promise<Record<string, number>> => {
  const { rows } = await pool.query<{ status: string; count: number }>(
    'select status, count(*)::int as count from ordering.orders where meal_date = $1 group by status',
    [day],
  )
  const none = Object.fromEntries(statuses.map((status) => [status, 0]))
  return { ...none, ...Object.fromEntries(rows.map(({ status, count }) => [status, count])) }
}
