import type { Knex } from 'knex'
import { grades, type Grade } from '#contracts/identity'
import type { ServedLunch } from '#contracts/serving'
import type { SchoolDate } from '#kernel/school-time'
import { byGrade, lunchesOn, mostLunches } from '../orders/lunches.rows'
import { standingOf, type CountedMarks } from '../slot/lunch-marks'

type Row = Omit<ServedLunch, 'class' | 'allergies' | 'diet' | 'medicalNote' | 'mark' | 'grade'> & {
  grade: Grade
} & CountedMarks

/**
 * The lunches of a date to hand out, by grade from the smallest to staff and name, at most 10,000. `by` of their marks is
 * a user's id. `at`: when they or their marks last changed, null when there are none.
 */
export const servedOn = async (knex: Knex, date: SchoolDate) => {
  const [rows, at] = await Promise.all([rowsOn(knex, date), lastChangeOn(knex, date)])
  return {
    at,
    lunches: rows.map(({ given, noticed, ...lunch }) => ({
      ...lunch,
      mark: standingOf({ given, noticed }),
    })),
  }
}
export type LunchServed = Awaited<ReturnType<typeof servedOn>>['lunches'][number]

const rowsOn = (knex: Knex, date: SchoolDate): Promise<Row[]> =>
  lunchesOn(knex, date)
    .leftJoin('ordering.lunch_marks', 'lunch_marks.order_id', 'orders.id')
    .select('category', 'comments', 'absent', 'given', 'noticed', {
      orderId: 'orders.id',
      student: 'student_name',
      grade: 'student_grade',
      menuItem: 'item_name',
      sideDish: 'side_dish',
      unpaid: knex.raw(`payment_status = 'pending'`),
    })
    .orderByRaw(`${byGrade.sql}, lower(student_name), orders.id`, byGrade.bindings)
    .limit(mostLunches)

const lastChangeOn = async (knex: Knex, date: SchoolDate): Promise<Date | null> => {
  const { rows } = await knex.raw<{ rows: { at: Date | null }[] }>(
    `select greatest(
       (select max(changed_at) from ordering.kitchen_changes where date = :date),
       (select max(changed_at) from ordering.lunch_marks where date = :date)) as at`,
    { date },
  )
  return rows[0]!.at
}

/** As every screen names a grade. */
const gradeLabel = (grade: Grade): string => (grade === 'teacher' ? 'Staff Account' : `Grade ${grade}`)

/** These lunches by class, by grade where there is none, those of the smallest children first; in each in their order. */
export const byClass = <Lunch extends Pick<ServedLunch, 'class' | 'grade'>>(lunches: readonly Lunch[]) => {
  const classes = new Map<string, Lunch[]>()
  const placed = lunches.toSorted(
    (one, other) =>
      grades.indexOf(one.grade) - grades.indexOf(other.grade) ||
      (one.class ?? '').localeCompare(other.class ?? '', 'en', { numeric: true }),
  )
  for (const lunch of placed) {
    const name = lunch.class ?? gradeLabel(lunch.grade)
    classes.set(name, [...(classes.get(name) ?? []), lunch])
  }
  return [...classes].map(([name, inClass]) => ({ class: name, lunches: inClass }))
}
