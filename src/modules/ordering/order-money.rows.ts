import type { Pool } from 'pg'
import type { OrderRow } from './order'
import { orderColumns } from './orders.rows'

/** Cancelled orders that had been paid for and are not marked refunded. */
export const cancelledPaidOrders = async (pool: Pool): Promise<string[]> => {
  const { rows } = await pool.query<{ id: string }>(
    `select id from ordering.orders where status = 'cancelled' and payment_status = 'confirmed' and price > 0`,
  )
  return rows.map(({ id }) => id)
}

const unpaid = `payment_status = 'pending' and status in ('pending', 'completed')`

/** The orders still to be paid for by user, whoever has waited longest first; a group is never cut in two. */
export const unpaidOrders = async (
  pool: Pool,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ groups: { userId: number; rows: OrderRow[] }[]; totalGroups: number }> => {
  const [users, counted] = await Promise.all([
    pool.query<{ user_id: number }>(
      `select user_id from ordering.orders where ${unpaid}
       group by user_id order by min(placed_at), user_id offset $1 limit $2`,
      [offset, limit],
    ),
    pool.query<{ total: number }>(
      `select count(distinct user_id)::int as total from ordering.orders where ${unpaid}`,
    ),
  ])
  const userIds = users.rows.map(({ user_id }) => user_id)
  const { rows } = await pool.query<OrderRow>(
    `select ${orderColumns} from ordering.orders where ${unpaid} and user_id = any($1::int[])
     order by placed_at, week, day, line, id`,
    [userIds],
  )
  return {
    groups: userIds.map((userId) => ({ userId, rows: rows.filter((row) => row.user_id === userId) })),
    totalGroups: counted.rows[0]?.total ?? 0,
  }
}
