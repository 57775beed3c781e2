import type { QueryOf } from '#contracts/endpoint'
import { type ItemSort, listMenuItems } from '#contracts/menu-items'
import { readFilters, type Sorting } from '../../../lib/list-address'

/** The order of the list when the address names none: as the items came. */
export const asTheyCame: Sorting<ItemSort> = { sort: 'added', direction: 'asc' }

/** Which items the server is asked for; a filter that is absent takes all. A week is 1–6, a day 1–5. */
export type ItemFilters = Pick<
  QueryOf<typeof listMenuItems>,
  'archived' | 'search' | 'week' | 'day' | 'available' | 'type'
>

/** What the address asks for; anything that is not a filter's value counts as not set. */
export const filtersInAddress = (address: URLSearchParams): ItemFilters => {
  const availability = address.get('availability')
  return {
    archived: false,
    ...readFilters(address, listMenuItems.query, ['archived', 'search', 'week', 'day', 'type']),
    ...(availability === 'available' || availability === 'unavailable'
      ? { available: availability === 'available' }
      : {}),
  }
}

/** Every filter taken off the address. */
export const noFilters = {
  search: null,
  archived: null,
  week: null,
  day: null,
  availability: null,
  type: null,
}

export const isFiltered = ({ archived, ...others }: ItemFilters): boolean =>
  archived === true || Object.keys(others).length > 0

export type ItemView = 'table' | 'grid'

export const viewInAddress = (address: URLSearchParams): ItemView =>
  address.get('view') === 'grid' ? 'grid' : 'table'

/** The address in this view, on the same page. */
export const addressWithView = (address: URLSearchParams, view: ItemView): URLSearchParams => {
  const next = new URLSearchParams(address)
  if (view === 'table') next.delete('view')
  else next.set('view', view)
  return next
}
