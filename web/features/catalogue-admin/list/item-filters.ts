import { type ItemType, itemTypes } from '#contracts/catalogue'
import type { QueryOf } from '#contracts/endpoint'
import { type ItemSort, itemSorts, type listMenuItems } from '#contracts/menu-items'
import { pageFromAddress, type Sorting, sortingFromAddress } from '../../../lib/list-address'

export type Availability = 'all' | 'available' | 'unavailable'
export type ItemView = 'table' | 'grid'

/** What of the menu is shown and how. What is null or '' takes all; a week is 1–6, a day 1–5. */
export type ItemFilters = {
  search: string
  archived: boolean
  week: number | null
  day: number | null
  availability: Availability
  type: ItemType | null
  view: ItemView
}

const numberWithin = (text: string | null, last: number): number | null => {
  const value = Number(text)
  return text && Number.isInteger(value) && value >= 1 && value <= last ? value : null
}

const availabilityOf = (text: string | null): Availability =>
  text === 'available' || text === 'unavailable' ? text : 'all'

/** Reads the filters from the address; anything that is not a filter's value counts as not set. */
export const filtersFromAddress = (address: URLSearchParams): ItemFilters => ({
  search: address.get('search')?.trim() ?? '',
  archived: address.get('archived') === 'true',
  week: numberWithin(address.get('week'), 6),
  day: numberWithin(address.get('day'), 5),
  availability: availabilityOf(address.get('availability')),
  type: itemTypes.find((type) => type === address.get('type')) ?? null,
  view: address.get('view') === 'grid' ? 'grid' : 'table',
})

/** The parameters of these filters, null for a default: what the address leaves out. */
export const parametersOf = (filters: ItemFilters): Record<keyof ItemFilters, string | null> => ({
  search: filters.search || null,
  archived: filters.archived ? 'true' : null,
  week: filters.week ? String(filters.week) : null,
  day: filters.day ? String(filters.day) : null,
  availability: filters.availability === 'all' ? null : filters.availability,
  type: filters.type,
  view: filters.view === 'grid' ? 'grid' : null,
})

/** The same view with nothing filtered out; what "Clear Filters" asks for. */
export const clearedFilters = (filters: ItemFilters): ItemFilters => ({
  search: '',
  archived: false,
  week: null,
  day: null,
  availability: 'all',
  type: null,
  view: filters.view,
})

export const isFiltered = (filters: ItemFilters): boolean =>
  Object.values(parametersOf({ ...filters, view: 'table' })).some((value) => value !== null)

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
