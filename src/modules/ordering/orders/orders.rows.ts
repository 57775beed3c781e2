import type { Pool } from 'pg'
import { packed } from '#platform/packed-rows'
import type { OrderRow, OwnOrderRow } from './order'
import { ordersView } from './orders.view'

/** Named one by one: a prepared `select *` would break in a running process when a migration adds a column. */
export const orderColumns = Object.keys(ordersView.columns).join(', ')

const own = packed<OwnOrderRow>()(
  'id',
  'placed_at',
  'student_id',
  'student_name',
  'student_grade',
  'item_id',
  'item_name',
  'item_type',
  'cycle_id',
  'week',
  'day',
  'meal_date',
  'category',
  'side_dish',
  'comments',
  'original_price',
  'price',
  'discount_percentage',
  'status',
  'payment_status',
)

/** All orders of a user, the newest first. */
export const ordersOfUser = async (pool: Pool, userId: number): Promise<OwnOrderRow[]> =>
  own.rows(
    await pool.query({
      name: 'ordering-orders-of-user',
      text: `select ${own.columns} from ordering.orders
             where user_id = $1 order by placed_at desc, week, day, line, id`,
      values: [userId],
    }),
  )

/**
 * The orders of these ids that have a row, in no order. Looked up one by one, so that a plan that was kept from when
 * there were few orders never reads all of them; behind a `select` the ids are no reason to plan anew each time.
 */
export const ordersByIds = async (pool: Pool, ids: readonly string[]): Promise<OrderRow[]> => {
  const { rows } = await pool.query<OrderRow>({
    name: 'ordering-orders-by-id',
    text: `select o.* from unnest((select $1::text[])) as wanted (id) cross join lateral
             (select ${orderColumns} from ordering.orders where id = wanted.id offset 0) o`,
    values: [[...new Set(ids)]],
  })
  return rows
}

/** Which of these menu items were ever ordered; cancelled orders count. */
export const itemsWithOrders = async (pool: Pool, itemIds: readonly number[]): Promise<Set<number>> => {
  const { rows } = await pool.query<{ id: number }>(
    `select wanted.id from unnest($1::int[]) as wanted (id)
     where exists (select from ordering.orders o where o.item_id = wanted.id)`,
    [itemIds],
  )
  return new Set(rows.map(({ id }) => id))
}

/** How many pending and completed orders these students have together. */
export const orderCountOf = async (pool: Pool, studentIds: readonly number[]): Promise<number> => {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from ordering.orders
     where student_id = any($1::int[]) and status in ('pending', 'completed')`,
    [studentIds],
  )
  return rows[0]?.count ?? 0
}

/** The orders of these students that are still to be cooked, at most 5,000. */
export const openOrdersOf = async (pool: Pool, studentIds: readonly number[]): Promise<string[]> => {
  const { rows } = await pool.query<{ id: string }>(
    `select id from ordering.orders
     where student_id = any($1::int[]) and status = 'pending' order by id limit 5000`,
    [studentIds],
  )
  return rows.map(({ id }) => id)
}
