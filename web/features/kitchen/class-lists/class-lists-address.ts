import type { ClassListSort } from '#contracts/class-list'
import type { Sorting } from '../../../lib/list-address'

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
