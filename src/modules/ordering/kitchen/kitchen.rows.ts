import type { Pool } from 'pg'
import type { SchoolDate } from '#kernel/school-time'
import { packed } from '#platform/packed-rows'
import type { AlikeOrders } from './kitchen-totals'
import type { KitchenRow } from '../orders/order'

/** The days whose meals are asked for, both ends included; of one cycle, or of all with null. */
export type KitchenDays = { cycleId: number | null; from: SchoolDate; to: SchoolDate }

// What is to be cooked, and what was called off so late that it may have been.
const lookedAt = `
  from ordering.orders
  where meal_date between $1::date and $2::date and ($3::integer is null or cycle_id = $3)
    and (status in ('pending', 'completed') or cancelled_late)`

const valuesOf = ({ cycleId, from, to }: KitchenDays) => [from, to, cycleId]

const shown = packed<KitchenRow>()(
  'id',
  'week',
  'day',
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
)

/** One page of the orders the kitchen looks at, day by day. */
export const kitchenPage = async (
  pool: Pool,
  days: KitchenDays,
  page: { offset: number; limit: number },
): Promise<KitchenRow[]> =>
  shown.rows(
    await pool.query(
      `select ${shown.columns} ${lookedAt}
       order by week, day, item_type, item_name, placed_at, id offset $4 limit $5`,
      [...valuesOf(days), page.offset, page.limit],
    ),
  )

const alike =
  'week, day, meal_date, item_type, item_name, item_id, category, side_dish, status, payment_status'

/** All orders of these days, counted where they are alike; day by day and item by item. */
export const alikeOrders = async (pool: Pool, days: KitchenDays): Promise<AlikeOrders[]> => {
  const { rows } = await pool.query<AlikeOrders>(
    `select ${alike}, count(*)::int as count, json_agg(id) filter (where status = 'pending') as ids,
            json_agg(json_build_array(placed_at, id, comments)) filter (where comments <> '') as comments
     ${lookedAt} group by ${alike} order by ${alike}`,
    valuesOf(days),
  )
  return rows
}
