import type { Knex } from 'knex'
import type { ClassListEntry, ClassListSort } from '#contracts/class-list'
import type { Direction } from '#contracts/sorting'
import type { SchoolDate } from '#kernel/school-time'
import { byGrade, lunchesOn, mostLunches } from '../orders/lunches.rows'

/** Whose lunches; a filter that is absent takes all. */
type LunchFilters = {
  grade?: ClassListEntry['grade'] | undefined
  paymentStatus?: ClassListEntry['paymentStatus'] | undefined
}

/** Of an entry, what its order tells. */
type Lunch = Omit<ClassListEntry, 'class' | 'allergies' | 'diet' | 'medicalNote'>

const orders: Record<ClassListSort, readonly string[]> = {
  name: ['lower(student_name)'],
  meal: ['lower(item_name)', 'lower(student_name)'],
}

/** The lunches of one day that are cooked or to be cooked, by grade and in each as asked. */
export const classListOf = async (
  knex: Knex,
  date: SchoolDate,
  { grade, paymentStatus }: LunchFilters,
  { sort, direction }: { sort: ClassListSort; direction: Direction },
): Promise<Lunch[]> => {
  const query = lunchesOn(knex, date)
    .select('id', 'category', 'comments', 'status', 'absent', {
      grade: 'student_grade',
      student: 'student_name',
      menuItem: 'item_name',
      sideDish: 'side_dish',
      paymentStatus: 'payment_status',
    })
    .orderByRaw(byGrade.sql, byGrade.bindings)
    .orderByRaw([...orders[sort], 'id'].map((key) => `${key} ${direction}`).join(', '))
    .limit(mostLunches)
  if (grade !== undefined) query.where('student_grade', grade)
  if (paymentStatus !== undefined) query.where('payment_status', paymentStatus)
  return query
}

/** The grades that have lunches on this day, from the smallest to staff. */
export const gradesOn = async (knex: Knex, date: SchoolDate): Promise<ClassListEntry['grade'][]> =>
  lunchesOn(knex, date)
    .groupBy('student_grade')
    .orderByRaw(byGrade.sql, byGrade.bindings)
    .pluck('student_grade')
