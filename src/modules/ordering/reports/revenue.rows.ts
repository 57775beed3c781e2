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

/** What was sold in all, where anything was, and by week, item and grade, in one cycle or (null) in all of them. */
export const soldIn = async (pool: Pool, cycleId: number | null): Promise<SoldRow[]> => {
  const { rows } = await pool.query<SoldRow>(
    `select
       case grouping(cycle_id, week, item_id, student_grade)
         when 15 then 'all' when 3 then 'week' when 13 then 'item' else 'grade' end as kind,
       cycle_id as "cycleId", week, item_id as "itemId", student_grade as grade,
       min(meal_date) as "firstDay", max(item_name) as "itemName",
       count(*)::int as orders,
       (count(*) filter (where status in ('cancelled', 'refunded')))::int as cancelled,
       (count(*) filter (where status = 'pending'))::int as pending,
       coalesce(sum(price) filter (where status = 'completed'), 0)::float8 as "completedNgwee",
       coalesce(sum(price) filter (where status in ('cancelled', 'refunded')), 0)::float8 as "cancelledNgwee",
       coalesce(sum(price) filter (where status = 'pending'), 0)::float8 as "pendingNgwee"
     from ordering.orders where $1::int is null or cycle_id = $1
     group by grouping sets ((), (cycle_id, week), (item_id), (student_grade))`,
    [cycleId],
  )
  // The group of all orders is there even without any.
  return rows.filter(({ orders }) => orders > 0)
}

/** How many children and teachers were ordered for. */
export const studentsServed = async (pool: Pool, cycleId: number | null): Promise<number> => {
  const { rows } = await pool.query<{ students: number }>(
    `select count(distinct student_id)::int as students from ordering.orders
     where $1::int is null or cycle_id = $1`,
    [cycleId],
  )
  return rows[0]!.students
}
