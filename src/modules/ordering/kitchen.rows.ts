import type { Pool } from 'pg'
import type { KitchenTotal } from '#contracts/ordering'
import type { SchoolDate } from '#kernel/school-time'
import type { OrderRow } from './order'
import { orderColumns } from './orders.rows'

/** The days whose meals are asked for, both ends included; of one cycle, or of all with null. */
export type KitchenDays = { cycleId: number | null; from: SchoolDate; to: SchoolDate }

// What is to be cooked, and what was called off so late that it may have been.
const lookedAt = `
  from ordering.orders
  where meal_date between $1::date and $2::date and ($3::integer is null or cycle_id = $3)
    and (status in ('pending', 'completed') or cancelled_late)`

const valuesOf = ({ cycleId, from, to }: KitchenDays) => [from, to, cycleId]

/** One page of the orders the kitchen looks at, day by day, and how many there are in all. */
export const kitchenPage = async (
  pool: Pool,
  days: KitchenDays,
  page: { offset: number; limit: number },
): Promise<{ rows: OrderRow[]; total: number }> => {
  const [{ rows }, counted] = await Promise.all([
    pool.query<OrderRow>(
      `select ${orderColumns} ${lookedAt} order by week, day, item_type, item_name, placed_at, id offset $4 limit $5`,
      [...valuesOf(days), page.offset, page.limit],
    ),
    pool.query<{ total: number }>(`select count(*)::int as total ${lookedAt}`, valuesOf(days)),
  ])
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

/** Portions per day and item, with each protein's and side's count and comments, over every order of these days. */
export const kitchenTotals = async (pool: Pool, days: KitchenDays): Promise<KitchenTotal[]> => {
  const { rows } = await pool.query<KitchenTotal>(totalsSql(), valuesOf(days))
  return rows
}

const totalsSql = () => `
  with looked_at as (
    select ${orderColumns}, status in ('pending', 'completed') as cooked ${lookedAt}
  ),
  portions as (
    select week, day, item_id, item_name, item_type, kind, chosen,
           json_build_object(
             'name', chosen,
             'count', count(*),
             'comments', coalesce(json_agg(comments order by placed_at, id) filter (where comments <> ''), '[]')
           ) as portion
    from looked_at
    cross join lateral (values ('protein', category), ('side', side_dish)) as choice (kind, chosen)
    where cooked and chosen is not null
    group by week, day, item_id, item_name, item_type, kind, chosen
  )
  select item.week as "weekNumber", item.day as "dayOfWeek", item.meal_date::text as "mealDate",
         item.item_id as "menuItemId", item.item_name as "menuItem", item.item_type as "type",
         (count(*) filter (where cooked))::int as total,
         (count(*) filter (where cooked and payment_status = 'pending'))::int as unpaid,
         (count(*) filter (where status = 'completed'))::int as completed,
         (count(*) filter (where not cooked))::int as "cancelledLate",
         ${portionsOf('protein')} as proteins,
         ${portionsOf('side')} as sides,
         coalesce(json_agg(id order by placed_at, id) filter (where status = 'pending'), '[]') as "pendingOrderIds"
  from looked_at item
  group by week, day, meal_date, item_id, item_name, item_type
  order by week, day, item_type, item_name, item_id`

const portionsOf = (kind: 'protein' | 'side') => `coalesce((
    select json_agg(portion order by chosen) from portions
    where (portions.week, portions.day, portions.item_id, portions.item_name, portions.item_type, kind)
        = (item.week, item.day, item.item_id, item.item_name, item.item_type, '${kind}')
  ), '[]')`
