import type { Pool } from 'pg'
import type { KitchenTotal } from '#contracts/ordering'
import type { OrderRow } from './order'

/** The days whose meals are asked for: a week of a cycle, or one date of it. */
export type KitchenScope = { cycleId: number } & ({ week: number } | { mealDate: string })

const inScope = (scope: KitchenScope) =>
  'week' in scope
    ? { where: 'cycle_id = $1 and week = $2', values: [scope.cycleId, scope.week] }
    : { where: 'cycle_id = $1 and meal_date = $2::date', values: [scope.cycleId, scope.mealDate] }

// What is to be cooked, and what was called off so late that it may have been.
const forKitchen = "(status in ('pending', 'completed') or cancelled_late)"

/** One page of the orders the kitchen looks at, day by day, and how many there are in all. */
export const kitchenPage = async (
  pool: Pool,
  scope: KitchenScope,
  page: { offset: number; limit: number },
): Promise<{ rows: OrderRow[]; total: number }> => {
  const { where, values } = inScope(scope)
  const [{ rows }, counted] = await Promise.all([
    pool.query<OrderRow>(
      `select * from ordering.orders where ${where} and ${forKitchen}
       order by week, day, item_type, item_name, placed_at, id offset $3 limit $4`,
      [...values, page.offset, page.limit],
    ),
    pool.query<{ total: number }>(
      `select count(*)::int as total from ordering.orders where ${where} and ${forKitchen}`,
      values,
    ),
  ])
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

/** Portions per day and item, with each protein's and side's count and comments, over every order of the scope. */
export const kitchenTotals = async (pool: Pool, scope: KitchenScope): Promise<KitchenTotal[]> => {
  const { where, values } = inScope(scope)
  const { rows } = await pool.query<KitchenTotal>(totalsSql(where), values)
  return rows
}

const totalsSql = (where: string) => `
  with looked_at as (
    select *, status in ('pending', 'completed') as cooked
    from ordering.orders where ${where} and ${forKitchen}
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
