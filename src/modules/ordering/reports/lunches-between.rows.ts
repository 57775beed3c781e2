import type { SchoolDate } from '#kernel/school-time'
import type { Reader } from '#platform/database'

/**
 * Lunches of a date, dish and class that stand. `class` is the grade where a child has none; `left` were neither given at the hatch nor for an
 * absent child.
 */
export type LunchSum = {
  date: SchoolDate
  item: string
  class: string
  meals: number
  given: number
  left: number
}

export const lunchesBetween = async (
  at: Reader,
  { from, to }: { from: SchoolDate; to: SchoolDate },
): Promise<LunchSum[]> => {
  const { rows } = await at.query<LunchSum>(
    `select meal_date::text as date, item_name as item, coalesce(student_class, student_grade) as class,
       count(*)::int as meals,
       (count(*) filter (where given_at is not null))::int as given,
       (count(*) filter (where given_at is null and not absent))::int as left
     from ordering.orders where meal_date between $1 and $2 and status in ('pending', 'completed')
     group by 1, 2, 3 order by 1, 2, 3`,
    [from, to],
  )
  return rows
}
