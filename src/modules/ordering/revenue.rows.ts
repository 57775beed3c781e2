import type { Pool } from 'pg'

/** How many orders, of them cancelled or refunded, and what each kind was to pay, in ngwee. */
export type Sold = {
  orders: number
  cancelled: number
  pending: number
  completedNgwee: number
  cancelledNgwee: number
  pendingNgwee: number
}

export type SoldRow = Sold & {
  kind: 'all' | 'week' | 'item' | 'grade'
  cycleId: number
  week: number
  /** `YYYY-MM-DD`, the earliest day of the group. */
  firstDay: string
  itemId: number
  itemName: string
  grade: string
}

/** What was sold in all, and by week, item and grade, of one cycle or (null) of all, in one pass over the orders. */
export const soldBy = async (pool: Pool, cycleId: number | null): Promise<SoldRow[]> => {
  const { rows } = await pool.query<SoldRow>(
    `select case grouping(cycle_id, item_id, student_grade)
              when 7 then 'all' when 3 then 'week' when 5 then 'item' else 'grade' end as kind,
            cycle_id as "cycleId", week::int, min(meal_date)::text as "firstDay",
            item_id as "itemId", max(item_name) as "itemName", student_grade as grade,
            count(*)::int as orders,
            (count(*) filter (where status in ('cancelled', 'refunded')))::int as cancelled,
            (count(*) filter (where status = 'pending'))::int as pending,
            coalesce(sum(price) filter (where status = 'completed'), 0)::float8 as "completedNgwee",
            coalesce(sum(price) filter (where status in ('cancelled', 'refunded')), 0)::float8 as "cancelledNgwee",
            coalesce(sum(price) filter (where status = 'pending'), 0)::float8 as "pendingNgwee"
     from ordering.orders where ($1::int is null or cycle_id = $1)
     group by grouping sets ((), (cycle_id, week), (item_id), (student_grade))`,
    [cycleId],
  )
  return rows
}

/** For how many children and teachers something was ordered. */
export const eatersIn = async (pool: Pool, cycleId: number | null): Promise<number> => {
  const { rows } = await pool.query<{ eaters: number }>(
    `select count(*)::int as eaters from (
       select student_id from ordering.orders where ($1::int is null or cycle_id = $1) group by student_id
     ) as eaters`,
    [cycleId],
  )
  return rows[0]!.eaters
}
