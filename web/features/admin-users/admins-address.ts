import { type AdminSort, adminSorts } from '#contracts/administrators'
import { type FeatureName, featureNames } from '#contracts/identity'
import { pageFromAddress, type Sorting, sortingFromAddress } from '../../lib/list-address'

/** Which administrators are shown and in which order; '' searches for nothing, a null feature asks for none. */
export type AdminsAsked = {
  page: number
  search: string
  feature: FeatureName | null
  sorting: Sorting<AdminSort>
}

export const byRank: Sorting<AdminSort> = { sort: 'rank', direction: 'asc' }

/** What the address asks for; anything that is no filter counts as not set. */
export const adminsInAddress = (address: URLSearchParams): AdminsAsked => ({
  page: pageFromAddress(address),
  search: address.get('search')?.trim() ?? '',
  feature: featureNames.find((name) => name === address.get('feature')) ?? null,
  sorting: sortingFromAddress(address, adminSorts, byRank),
})
