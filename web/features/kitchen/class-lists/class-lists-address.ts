import { type ClassListSort, classListSorts } from '#contracts/class-list'
import { type Grade, grade as gradeSchema } from '#contracts/identity'
import { type Sorting, sortingFromAddress } from '../../../lib/list-address'

/** Whose lunches are listed, in which order within a class; a filter that is absent takes all. */
export type ClassesAsked = {
  grade?: Grade
  paymentStatus?: 'confirmed' | 'pending'
  sorting: Sorting<ClassListSort>
}

export const byName: Sorting<ClassListSort> = { sort: 'name', direction: 'asc' }

/** The day whose class lists the address asks for, `YYYY-MM-DD`; null when it asks for none. */
export const listedDay = (search: URLSearchParams): string | null => search.get('list')

/** What belongs to the class lists alone and goes with them. */
const own = ['grade', 'paymentStatus', 'sort', 'direction']

/** The address with the class lists of this day, or without any. */
export const addressWithList = (search: URLSearchParams, day: string | null): URLSearchParams => {
  const next = new URLSearchParams(search)
  if (day !== null) next.set('list', day)
  else for (const key of ['list', ...own]) next.delete(key)
  return next
}

/** What the address asks for; anything that is not a filter's value counts as not set. */
export const classesInAddress = (search: URLSearchParams): ClassesAsked => {
  const asked: ClassesAsked = { sorting: sortingFromAddress(search, classListSorts, byName) }
  const grade = gradeSchema.options.find((one) => one === search.get('grade'))
  const paymentStatus = search.get('paymentStatus')
  if (grade) asked.grade = grade
  if (paymentStatus === 'confirmed' || paymentStatus === 'pending') asked.paymentStatus = paymentStatus
  return asked
}
