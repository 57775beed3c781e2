import { type CodeSort, codeSorts } from '#contracts/discount-codes'
import { pageFromAddress, type Sorting, sortingFromAddress } from '../../lib/list-address'

/** Which codes are shown and in which order; '' searches for nothing, `active` null takes both. */
export type CodesAsked = { page: number; search: string; active: boolean | null; sorting: Sorting<CodeSort> }

export const newestFirst: Sorting<CodeSort> = { sort: 'created', direction: 'desc' }

const activeOf = (text: string | null): boolean | null =>
  text === 'true' || text === 'false' ? text === 'true' : null

/** What the address asks for; anything that is no filter counts as not set. */
export const codesInAddress = (address: URLSearchParams): CodesAsked => ({
  page: pageFromAddress(address),
  search: address.get('search')?.trim() ?? '',
  active: activeOf(address.get('active')),
  sorting: sortingFromAddress(address, codeSorts, newestFirst),
})
