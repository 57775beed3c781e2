import type { ItemType } from '#contracts/catalogue'
import type { ItemSort } from '#contracts/menu-items'
import { dayName } from '../../../lib/format'
import { Button } from '../../../ui/button'
import { SearchField } from '../../../ui/search-field'
import { Select } from '../../../ui/select'
import type { SortProps } from '../../../ui/sort-head'
import { type SortChoice, SortSelect } from '../../../ui/sort-select'
import { asTheyCame, type Availability, clearedFilters, isFiltered, type ItemFilters } from './item-filters'

const weeks = [
  { value: '', label: 'All Weeks' },
  ...[1, 2, 3, 4, 5, 6].map((week) => ({ value: String(week), label: `Week ${week}` })),
]
const days = [
  { value: '', label: 'All Days' },
  ...[1, 2, 3, 4, 5].map((day) => ({ value: String(day), label: dayName(day) })),
]
const availabilities: { value: Availability; label: string }[] = [
  { value: 'all', label: 'All Items' },
  { value: 'available', label: 'Available Only' },
  { value: 'unavailable', label: 'Unavailable Only' },
]

const types: { value: ItemType | ''; label: string }[] = [
  { value: '', label: 'All Types' },
  { value: 'primary', label: 'Primary' },
  { value: 'secondary', label: 'Secondary' },
]

/** What the heads of the table say by arrows; cards have no heads. */
const orders: readonly SortChoice<ItemSort>[] = [
  { ...asTheyCame, label: 'Oldest first' },
  { sort: 'added', direction: 'desc', label: 'Newest first' },
  { sort: 'name', direction: 'asc', label: 'Name, A to Z' },
  { sort: 'name', direction: 'desc', label: 'Name, Z to A' },
  { sort: 'type', direction: 'asc', label: 'Primary first' },
  { sort: 'type', direction: 'desc', label: 'Secondary first' },
  { sort: 'price', direction: 'asc', label: 'Lowest price first' },
  { sort: 'price', direction: 'desc', label: 'Highest price first' },
  { sort: 'offered', direction: 'asc', label: 'First weeks first' },
  { sort: 'offered', direction: 'desc', label: 'Last weeks first' },
  { sort: 'available', direction: 'desc', label: 'Available first' },
  { sort: 'available', direction: 'asc', label: 'Unavailable first' },
]

type FilterBarProps = SortProps<ItemSort> & {
  filters: ItemFilters
  onFilter: (filters: ItemFilters) => void
  onSearch: (text: string) => void
}

/** Which items are shown, by words, week, day, availability and type, and in which order. */
export const FilterBar = ({ filters, onFilter, onSearch, sorting, onSort }: FilterBarProps) => (
  <div className="flex flex-wrap items-end gap-3">
    <SearchField
      label="Search menu items"
      className="min-w-0 grow basis-64"
      value={filters.search}
      onSearch={onSearch}
    />
    <SortSelect choices={orders} sorting={sorting} onSort={onSort} className="w-full sm:w-56" />
    <div className="flex w-full flex-wrap items-center gap-3">
      <Choices filters={filters} onFilter={onFilter} />
      <Button
        variant="ghost"
        icon="close"
        disabled={!isFiltered(filters)}
        onClick={() => onFilter(clearedFilters(filters))}
      >
        Clear Filters
      </Button>
    </div>
  </div>
)

const Choices = ({ filters, onFilter }: Pick<FilterBarProps, 'filters' | 'onFilter'>) => (
  <>
    <Select
      label="Week"
      hideLabel
      options={weeks}
      className="min-w-32 flex-1 sm:flex-none"
      value={filters.week ?? ''}
      onChange={(event) => onFilter({ ...filters, week: Number(event.target.value) || null })}
    />
    <Select
      label="Day"
      hideLabel
      options={days}
      className="min-w-36 flex-1 sm:flex-none"
      value={filters.day ?? ''}
      onChange={(event) => onFilter({ ...filters, day: Number(event.target.value) || null })}
    />
    <Select
      label="Availability"
      hideLabel
      options={availabilities}
      className="min-w-44 flex-1 sm:flex-none"
      value={filters.availability}
      onChange={(event) => onFilter({ ...filters, availability: event.target.value as Availability })}
    />
    <Select
      label="Item type"
      hideLabel
      options={types}
      className="min-w-36 flex-1 sm:flex-none"
      value={filters.type ?? ''}
      onChange={(event) => onFilter({ ...filters, type: (event.target.value as ItemType | '') || null })}
    />
  </>
)
