import type { QueryOf } from '#contracts/endpoint'
import { itemSorts } from '#contracts/menu-items'
import type { ItemSort, listMenuItems } from '#contracts/menu-items'
import { sortingFromAddress } from '../../lib/list-address'
import type { Sorting } from '../../lib/list-address'
import { pageFromAddress } from '../../lib/page-in-address'
import { filtersFromAddress, parametersOf } from './item-filters'
import type { ItemFilters } from './item-filters'

export type ItemSorting = Sorting<ItemSort>

/** The order of the list when the address names none: as the items came. */
export const asTheyCame: ItemSorting = { sort: 'added', direction: 'asc' }

/** What the address asks for. */
export type ItemsAsked = { filters: ItemFilters; sorting: ItemSorting; page: number }

export const askedInAddress = (address: URLSearchParams): ItemsAsked => ({
  filters: filtersFromAddress(address),
  sorting: sortingFromAddress(address, itemSorts, asTheyCame),
  page: pageFromAddress(address),
})

/** The address in the other view, on the same page. */
export const addressWithView = (address: URLSearchParams, filters: ItemFilters): URLSearchParams => {
  const next = new URLSearchParams(address)
  const { view } = parametersOf(filters)
  if (view === null) next.delete('view')
  else next.set('view', view)
  return next
}

/** The same as the server is asked. */
export const queryOf = ({ filters, sorting, page }: ItemsAsked): QueryOf<typeof listMenuItems> => ({
  page,
  ...sorting,
  archived: filters.archived,
  ...(filters.search ? { search: filters.search } : {}),
  ...(filters.availability === 'all' ? {} : { available: filters.availability === 'available' }),
  ...(filters.type ? { type: filters.type } : {}),
  ...(filters.week ? { week: filters.week } : {}),
  ...(filters.day ? { day: filters.day } : {}),
})
