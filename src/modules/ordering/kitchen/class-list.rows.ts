import type { Pool } from 'pg'
import type { ClassListEntry, ClassListSort } from '#contracts/class-list'
import { gradeNames } from '#contracts/identity'
import type { Direction } from '#contracts/sorting'
import type { SchoolDate } from '#kernel/school-time'

/** Whose lunches; a filter that is absent takes all. */
export type LunchFilters = {
  grade?: ClassListEntry['grade'] | undefined
  paymentStatus?: ClassListEntry['paymentStatus'] | undefined
}

const mostLunches = 10_000
const grades = [...gradeNames, 'teacher']

const orders: Record<ClassListSort, readonly string[]> = {
  name: ['lower(student_name)'],
  meal: ['lower(item_name)', 'lower(student_name)'],
}

/** The lunches of one day that are cooked or to be cooked, by grade and in each as asked. */
export const classListOf = async (
  pool: Pool,
  date: SchoolDate,
  { grade, paymentStatus }: LunchFilters,
  { sort, direction }: { sort: ClassListSort; direction: Direction },
): Promise<ClassListEntry[]> => {
  const order = [...orders[sort], 'id'].map((key) => `${key} ${direction}`).join(', ')
  const { rows } = await pool.query<ClassListEntry>(
    `select id, student_grade as grade, student_name as student, item_name as "menuItem",
            category, side_dish as "sideDish", comments, status, payment_status as "paymentStatus"
     from ordering.orders where meal_date = $1::date and status in ('pending', 'completed')
       and ($3::text is null or student_grade = $3) and ($4::text is null or payment_status = $4)
     order by array_position($2::text[], student_grade), ${order} limit ${mostLunches}`,
    [date, grades, grade ?? null, paymentStatus ?? null],
  )
  return rows
}

/** The grades that have lunches on this day, from the smallest to staff. */
export const gradesOn = async (pool: Pool, date: SchoolDate): Promise<ClassListEntry['grade'][]> => {
  const { rows } = await pool.query<{ grade: ClassListEntry['grade'] }>(
    `select student_grade as grade from ordering.orders
     where meal_date = $1::date and status in ('pending', 'completed')
     group by student_grade order by array_position($2::text[], student_grade)`,
    [date, grades],
  )
  return rows.map(({ grade }) => grade)
}
