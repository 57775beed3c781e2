import type { MenuItem } from '#contracts/catalogue'

export type Availability = 'all' | 'available' | 'unavailable'
export type ItemView = 'table' | 'grid'

/** What of the menu is shown and how. `week` and `day` are null for "all"; a week is 1–6, a day 1–5. */
export type ItemFilters = {
  archived: boolean
  week: number | null
  day: number | null
  availability: Availability
  view: ItemView
}

const numberWithin = (text: string | null, last: number): number | null => {
  const value = Number(text)
  return text && Number.isInteger(value) && value >= 1 && value <= last ? value : null
}

const availabilityOf = (text: string | null): Availability =>
  text === 'available' || text === 'unavailable' ? text : 'all'

/** Reads the filters from the address; anything that is not a filter's value counts as not set. */
export const filtersFromAddress = (search: URLSearchParams): ItemFilters => ({
  archived: search.get('archived') === 'true',
  week: numberWithin(search.get('week'), 6),
  day: numberWithin(search.get('day'), 5),
  availability: availabilityOf(search.get('availability')),
  view: search.get('view') === 'grid' ? 'grid' : 'table',
})

/** The address with these filters; defaults are left out and every other parameter stays. */
export const addressWithFilters = (search: URLSearchParams, filters: ItemFilters): URLSearchParams => {
  const next = new URLSearchParams(search)
  const write = (name: string, value: string | null) => (value ? next.set(name, value) : next.delete(name))
  write('archived', filters.archived ? 'true' : null)
  write('week', filters.week ? String(filters.week) : null)
  write('day', filters.day ? String(filters.day) : null)
  write('availability', filters.availability === 'all' ? null : filters.availability)
  write('view', filters.view === 'grid' ? 'grid' : null)
  return next
}

/** The same view with nothing filtered out; what "Clear Filters" asks for. */
export const clearedFilters = (filters: ItemFilters): ItemFilters => ({
  archived: false,
  week: null,
  day: null,
  availability: 'all',
  view: filters.view,
})

export const isFiltered = (filters: ItemFilters): boolean =>
  filters.archived || filters.week !== null || filters.day !== null || filters.availability !== 'all'

export const filterItems = (items: MenuItem[], filters: ItemFilters): MenuItem[] =>
  items.filter(
    (item) =>
      item.isArchived === filters.archived &&
      (filters.week === null || item.weekNumbers.includes(filters.week)) &&
      (filters.day === null || item.daysOfWeek.includes(filters.day)) &&
      (filters.availability === 'all' || item.isAvailable === (filters.availability === 'available')),
  )
