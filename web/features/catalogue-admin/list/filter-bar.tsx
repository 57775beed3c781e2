import type { QueryOf } from '#contracts/endpoint'
import { type ItemSort, listMenuItems } from '#contracts/menu-list'
import { classes } from '../../../lib/classes'
import { dayName } from '../../../lib/format'
import { type ListAddress, readFilters, type Sorting } from '../../../lib/list-address'
import { Button } from '../../../ui/button'
import { FilterSelect, SearchField, SortSelect, bothOrders } from '../../../ui/filters'

const choices = [
  {
    name: 'week',
    label: 'Week',
    width: 'min-w-32',
    options: [
      { value: '', label: 'All Weeks' },
      ...[1, 2, 3, 4, 5, 6].map((week) => ({ value: String(week), label: `Week ${week}` })),
    ],
  },
  {
    name: 'day',
    label: 'Day',
    width: 'min-w-36',
    options: [
      { value: '', label: 'All Days' },
      ...[1, 2, 3, 4, 5].map((day) => ({ value: String(day), label: dayName(day) })),
    ],
  },
  {
    name: 'availability',
    label: 'Availability',
    width: 'min-w-44',
    options: [
      { value: '', label: 'All Items' },
      { value: 'available', label: 'Available Only' },
      { value: 'unavailable', label: 'Unavailable Only' },
    ],
  },
  {
    name: 'type',
    label: 'Item type',
    width: 'min-w-36',
    options: [
      { value: '', label: 'All Types' },
      { value: 'primary', label: 'Primary' },
      { value: 'secondary', label: 'Secondary' },
    ],
  },
]

/** Creation order. */
export const defaultSort: Sorting<ItemSort> = { sort: 'added', direction: 'asc' }

const orders = [
  ...bothOrders<ItemSort>('added', { asc: 'Oldest first', desc: 'Newest first' }),
  ...bothOrders<ItemSort>('name', { asc: 'Name, A to Z', desc: 'Name, Z to A' }),
  ...bothOrders<ItemSort>('type', { asc: 'Primary first', desc: 'Secondary first' }),
  ...bothOrders<ItemSort>('price', { asc: 'Lowest price first', desc: 'Highest price first' }),
  ...bothOrders<ItemSort>('offered', { asc: 'First weeks first', desc: 'Last weeks first' }),
  ...bothOrders<ItemSort>('available', { desc: 'Available first', asc: 'Unavailable first' }),
]

export const FilterBar = ({ list }: { list: ListAddress<ItemSort> }) => (
  <div className="flex flex-wrap items-end gap-3">
    <SearchField list={list} name="search" label="Search menu items" className="min-w-0 grow basis-64" />
    <SortSelect choices={orders} className="w-full sm:w-56" {...list.sorted} />
    <div className="flex w-full flex-wrap items-center gap-3">
      {choices.map(({ width, ...choice }) => (
        <FilterSelect
          key={choice.name}
          list={list}
          hideLabel
          className={classes(width, 'flex-1 sm:flex-none')}
          {...choice}
        />
      ))}
      <Button
        variant="ghost"
        icon="close"
        disabled={!isFiltered(filtersInAddress(list.address))}
        onClick={() => list.onFilter(noFilters)}
      >
        Clear Filters
      </Button>
    </div>
  </div>
)

/** An absent filter takes all. Weeks 1–6, days 1–5. */
export type ItemFilters = Pick<
  QueryOf<typeof listMenuItems>,
  'archived' | 'search' | 'week' | 'day' | 'available' | 'type'
>

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

export const addressWithView = (address: URLSearchParams, view: ItemView): URLSearchParams => {
  const next = new URLSearchParams(address)
  if (view === 'table') next.delete('view')
  else next.set('view', view)
  return next
}
