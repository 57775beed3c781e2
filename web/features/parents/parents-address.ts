import { type ParentSort, shortestSearch } from '#contracts/parents'
import type { Sorting } from '../../lib/list-address'

export const byName: Sorting<ParentSort> = { sort: 'name', direction: 'asc' }

/** What the address searches for; a search that is too short finds everybody. */
export const searchInAddress = (address: URLSearchParams): string => {
  const search = address.get('search')?.trim() ?? ''
  return search.length >= shortestSearch ? search : ''
}
