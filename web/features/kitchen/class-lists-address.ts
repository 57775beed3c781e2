import { grade as gradeSchema } from '#contracts/identity'
import type { Grade } from '#contracts/identity'

/** Whose lunches are listed; what is absent takes all. */
export type ClassFilters = { grade?: Grade; paymentStatus?: 'confirmed' | 'pending' }

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

/** Reads the filters from the address; anything that is not a filter's value counts as not set. */
export const classFiltersFromAddress = (search: URLSearchParams): ClassFilters => {
  const filters: ClassFilters = {}
  const grade = gradeSchema.options.find((one) => one === search.get('grade'))
  const paymentStatus = search.get('paymentStatus')
  if (grade) filters.grade = grade
  if (paymentStatus === 'confirmed' || paymentStatus === 'pending') filters.paymentStatus = paymentStatus
  return filters
}
