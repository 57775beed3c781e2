import type { SchoolDate } from '#kernel/school-time'
import type { Reader } from '#platform/database'
import type { UpcomingMeal } from './conflicts.decide'

/** More is not looked at once: the nearest dates come first. */
const mostConflicts = 5000

/**
 * The pending orders from a date on in which a student has an item of these pairs, the nearest first, at most 5,000; not
 * those whose child is ill and does not eat.
 */
export const upcomingMeals =
  (pool: Reader) =>
  async (
    pairs: readonly { studentId: number; itemId: number }[],
    from: SchoolDate,
  ): Promise<UpcomingMeal[]> => {
    const { rows } = await pool.query<UpcomingMeal>({
      name: 'ordering-upcoming-meals-of-pairs',
      text: `select o.id as "orderId", o.student_id as "studentId", o.student_name as student,
          o.meal_date::text as date, o.item_id as "itemId", o.item_name as item, o.acknowledged
        from ordering.orders o
        join unnest($1::int[], $2::int[]) as pair (student_id, item_id) using (student_id, item_id)
        where o.status = 'pending' and o.meal_date >= $3 and not o.absent
        order by o.meal_date, o.student_name, o.id limit ${mostConflicts}`,
      values: [pairs.map(({ studentId }) => studentId), pairs.map(({ itemId }) => itemId), from],
    })
    return rows
  }
