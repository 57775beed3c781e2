import { cycleLengths, type CycleSort } from '#contracts/cycles'
import { Select } from '../../../ui/select'
import type { SortProps } from '../../../ui/sort-head'
import { type SortChoice, SortSelect } from '../../../ui/sort-select'
import { type HistoryAsked, newestFirst } from './history-address'

const orders: readonly SortChoice<CycleSort>[] = [
  { ...newestFirst, label: 'Newest first' },
  { sort: 'created', direction: 'asc', label: 'Oldest first' },
  { sort: 'start', direction: 'desc', label: 'Latest start first' },
  { sort: 'start', direction: 'asc', label: 'Earliest start first' },
  { sort: 'length', direction: 'desc', label: 'Longest first' },
  { sort: 'length', direction: 'asc', label: 'Shortest first' },
  { sort: 'orders', direction: 'desc', label: 'Most orders first' },
  { sort: 'orders', direction: 'asc', label: 'Fewest orders first' },
  { sort: 'revenue', direction: 'desc', label: 'Highest revenue first' },
  { sort: 'revenue', direction: 'asc', label: 'Lowest revenue first' },
]

const lengths = [
  { value: '', label: 'All Lengths' },
  ...cycleLengths.map((weeks) => ({ value: String(weeks), label: `${weeks} weeks` })),
]

type HistoryFiltersProps = {
  asked: HistoryAsked
  /** The years in which cycles began, the latest first. */
  years: readonly number[]
  /** An empty value takes all. */
  onFilter: (key: 'year' | 'cycleLength', value: string) => void
  onSort: SortProps<CycleSort>['onSort']
}

/** Which cycles are shown, and in which order. */
export const HistoryFilters = ({ asked, years, onFilter, onSort }: HistoryFiltersProps) => (
  <div className="flex flex-wrap items-end gap-3">
    <Select
      label="Year"
      className="w-36"
      options={[
        { value: '', label: 'All Years' },
        ...withAsked(years, asked.year).map((year) => ({ value: String(year), label: String(year) })),
      ]}
      value={asked.year ?? ''}
      onChange={(event) => onFilter('year', event.target.value)}
    />
    <Select
      label="Length"
      className="w-36"
      options={lengths}
      value={asked.cycleLength ?? ''}
      onChange={(event) => onFilter('cycleLength', event.target.value)}
    />
    <SortSelect choices={orders} sorting={asked.sorting} onSort={onSort} className="w-full sm:w-56" />
  </div>
)

/** A year that the address names stands among the choices, whether a cycle began in it or not. */
const withAsked = (years: readonly number[], year: number | null) =>
  year === null || years.includes(year) ? years : [year, ...years]
