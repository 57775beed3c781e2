import type { Knex } from 'knex'
import type { ClassListEntry, ClassListSort } from '#contracts/class-list'
import { gradeNames } from '#contracts/identity'
import type { Direction } from '#contracts/sorting'
import type { SchoolDate } from '#kernel/school-time'

/** Whose lunches; a filter that is absent takes all. */
type LunchFilters = {
  grade?: ClassListEntry['grade'] | undefined
  paymentStatus?: ClassListEntry['paymentStatus'] | undefined
}

const mostLunches = 10_000
const grades = [...gradeNames, 'teacher']

const orders: Record<ClassListSort, readonly string[]> = {
  name: ['lower(student_name)'],
  meal: ['lower(item_name)', 'lower(student_name)'],
}

/** What the school does not keep of a child. */
const notKept = { class: null, allergies: null, medicalNote: null }

const lunchesOn = (knex: Knex, date: SchoolDate) =>
  knex('ordering.orders').where('meal_date', date).whereIn('status', ['pending', 'completed'])

/** The lunches of one day that are cooked or to be cooked, by grade and in each as asked. */
export const classListOf = async (
  knex: Knex,
  date: SchoolDate,
  { grade, paymentStatus }: LunchFilters,
  { sort, direction }: { sort: ClassListSort; direction: Direction },
): Promise<ClassListEntry[]> => {
  const query = lunchesOn(knex, date)
    .select('id', 'category', 'comments', 'status', 'absent', {
      grade: 'student_grade',
      student: 'student_name',
      menuItem: 'item_name',
      sideDish: 'side_dish',
      paymentStatus: 'payment_status',
    })
    .orderByRaw('array_position(?::text[], student_grade)', [grades])
    .orderByRaw([...orders[sort], 'id'].map((key) => `${key} ${direction}`).join(', '))
    .limit(mostLunches)
  if (grade !== undefined) query.where('student_grade', grade)
  if (paymentStatus !== undefined) query.where('payment_status', paymentStatus)
  const lunches = await query
  return lunches.map((lunch) => ({ ...lunch, ...notKept }))
}

/** The grades that have lunches on this day, from the smallest to staff. */
export const gradesOn = async (knex: Knex, date: SchoolDate): Promise<ClassListEntry['grade'][]> =>
  lunchesOn(knex, date)
    .groupBy('student_grade')
    .orderByRaw('array_position(?::text[], student_grade)', [grades])
    .pluck('student_grade')
