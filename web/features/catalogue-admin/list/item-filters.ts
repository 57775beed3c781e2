import { itemTypes } from '#contracts/catalogue'
import type { QueryOf } from '#contracts/endpoint'
import type { ItemSort, listMenuItems } from '#contracts/menu-items'
import type { Sorting } from '../../../lib/list-address'

/** The order of the list when the address names none: as the items came. */
export const asTheyCame: Sorting<ItemSort> = { sort: 'added', direction: 'asc' }

/** Which items the server is asked for; a filter that is absent takes all. A week is 1–6, a day 1–5. */
export type ItemFilters = Pick<
  QueryOf<typeof listMenuItems>,
  'archived' | 'search' | 'week' | 'day' | 'available' | 'type'
>

const numberWithin = (text: string | null, last: number): number | null => {
  const value = Number(text)
  return text && Number.isInteger(value) && value >= 1 && value <= last ? value : null
}

/** What the address asks for; anything that is not a filter's value counts as not set. */
export const filtersInAddress = (address: URLSearchParams): ItemFilters => {
  const search = address.get('search')?.trim()
  const week = numberWithin(address.get('week'), 6)
  const day = numberWithin(address.get('day'), 5)
  const availability = address.get('availability')
  const type = itemTypes.find((one) => one === address.get('type'))
  return {
    archived: address.get('archived') === 'true',
    ...(search ? { search } : {}),
    ...(week ? { week } : {}),
    ...(day ? { day } : {}),
    ...(availability === 'available' || availability === 'unavailable'
      ? { available: availability === 'available' }
      : {}),
    ...(type ? { type } : {}),
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
