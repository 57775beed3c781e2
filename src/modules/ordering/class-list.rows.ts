import type { Pool } from 'pg'
import type { ClassListEntry } from '#contracts/class-list'
import { gradeNames } from '#contracts/identity'
import type { SchoolDate } from '#kernel/school-time'

const mostLunches = 10_000
const grades = [...gradeNames, 'teacher']

/** The lunches of one day that are cooked or to be cooked, by grade and name. */
export const classListOf = async (pool: Pool, date: SchoolDate): Promise<ClassListEntry[]> => {
  const { rows } = await pool.query<ClassListEntry>(
    `select id, student_grade as grade, student_name as student, item_name as "menuItem",
            category, side_dish as "sideDish", comments, status, payment_status as "paymentStatus"
     from ordering.orders where meal_date = $1::date and status in ('pending', 'completed')
     order by array_position($2::text[], student_grade), lower(student_name), id limit ${mostLunches}`,
    [date, grades],
  )
  return rows
}
