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

/** Which groups: those with an order in whose student or item the text is, or of such an attempt or user; '' takes all. */
export type UnpaidFilter = { text: string; userIds: readonly number[]; attemptIds: readonly string[] }

export type UnpaidPage = {
  sort: 'waiting' | 'parent' | 'amount' | 'orders'
  direction: 'asc' | 'desc'
  /** Everybody who has one, in the order of their names; only looked at when sorted by `parent`. */
  usersByName: readonly number[]
  offset: number
  limit: number
}

const columns: Record<UnpaidPage['sort'], string> = {
  waiting: 'waiting_since',
  parent: 'owner.place',
  amount: 'amount',
  orders: 'orders',
}

const groups = `select user_id, min(placed_at) as waiting_since, sum(price) as amount, count(*) as orders
  from ordering.orders where ${unpaid} group by user_id
  having $1 = '' or user_id = any($2::int[]) or bool_or(attempt_id = any($3::uuid[])
    or position(lower($1) in lower(student_name)) > 0 or position(lower($1) in lower(item_name)) > 0)`

/** The orders still to be paid for by user, a page of those who match; a group is never cut in two. */
export const unpaidOrders = async (
  pool: Pool,
  { text, userIds: named, attemptIds }: UnpaidFilter,
  { sort, direction, usersByName, offset, limit }: UnpaidPage,
): Promise<{ groups: { userId: number; rows: OrderRow[] }[]; totalGroups: number }> => {
  const values = [text, named, attemptIds]
  const [users, counted] = await Promise.all([
    pool.query<{ user_id: number }>(
      `select user_id from (${groups}) found
       left join unnest($4::int[]) with ordinality as owner (user_id, place) using (user_id)
       order by ${columns[sort]} ${direction}, user_id ${direction} offset $5 limit $6`,
      [...values, usersByName, offset, limit],
    ),
    pool.query<{ total: number }>(`select count(*)::int as total from (${groups}) found`, values),
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

/** Everybody who has an order still to be paid for. */
export const usersWithUnpaidOrders = async (pool: Pool): Promise<number[]> => {
  const { rows } = await pool.query<{ user_id: number }>(
    `select distinct user_id from ordering.orders where ${unpaid}`,
  )
  return rows.map(({ user_id }) => user_id)
}
