import { dayName } from '../../lib/format'
import { Button } from '../../ui/button'
import { Select } from '../../ui/select'
import { clearedFilters, isFiltered } from './item-filters'
import type { Availability, ItemFilters } from './item-filters'

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

type FilterBarProps = { filters: ItemFilters; onChange: (filters: ItemFilters) => void }

/** Which items are shown, by week, day and availability. */
export const FilterBar = ({ filters, onChange }: FilterBarProps) => (
  <div className="flex flex-wrap items-center gap-3">
    <Select
      label="Week"
      hideLabel
      options={weeks}
      className="min-w-32 flex-1 sm:flex-none"
      value={filters.week ?? ''}
      onChange={(event) => onChange({ ...filters, week: Number(event.target.value) || null })}
    />
    <Select
      label="Day"
      hideLabel
      options={days}
      className="min-w-36 flex-1 sm:flex-none"
      value={filters.day ?? ''}
      onChange={(event) => onChange({ ...filters, day: Number(event.target.value) || null })}
    />
    <Select
      label="Availability"
      hideLabel
      options={availabilities}
      className="min-w-44 flex-1 sm:flex-none"
      value={filters.availability}
      onChange={(event) => onChange({ ...filters, availability: event.target.value as Availability })}
    />
    <Button
      variant="ghost"
      icon="close"
      disabled={!isFiltered(filters)}
      onClick={() => onChange(clearedFilters(filters))}
    >
      Clear Filters
    </Button>
  </div>
)
