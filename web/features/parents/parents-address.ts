import { parentSorts, shortestSearch } from '#contracts/parents'
import type { ParentSort } from '#contracts/parents'
import { addressWithPage, pageFromAddress } from '../../lib/page-in-address'
import type { ParentsAsked } from './api'

/** Which parents the address asks for; a search that is too short finds everybody. */
export const askedInAddress = (address: URLSearchParams): ParentsAsked => {
  const search = address.get('search')?.trim() ?? ''
  return {
    page: pageFromAddress(address),
    search: search.length >= shortestSearch ? search : '',
    sort: parentSorts.find((sort) => sort === address.get('sort')) ?? 'name',
  }
}

/** The address with this search, or all without one, on the first page. */
export const addressWithSearch = (address: URLSearchParams, search: string): URLSearchParams => {
  const next = addressWithPage(address, 1)
  if (search) next.set('search', search)
  else next.delete('search')
  return next
}

/** The address with this order of the list, on the first page. */
export const addressWithSort = (address: URLSearchParams, sort: ParentSort): URLSearchParams => {
  const next = addressWithPage(address, 1)
  if (sort === 'name') next.delete('sort')
  else next.set('sort', sort)
  return next
}
