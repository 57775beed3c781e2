import { cycleLengths, type CycleSort } from '#contracts/cycles'
import type { ListAddress, Sorting } from '../../../lib/list-address'
import { FilterSelect, type SortChoice, SortSelect } from '../../../ui/list-filters'

export const newestFirst: Sorting<CycleSort> = { sort: 'created', direction: 'desc' }

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
  list: ListAddress<CycleSort>
  /** The one that the address asks for. */
  year: number | undefined
  /** The years in which cycles began, the latest first. */
  years: readonly number[]
}

/** Which cycles are shown, and in which order. */
export const HistoryFilters = ({ list, year, years }: HistoryFiltersProps) => (
  <div className="flex flex-wrap items-end gap-3">
    <FilterSelect
      list={list}
      name="year"
      label="Year"
      className="w-36"
      options={[
        { value: '', label: 'All Years' },
        ...withAsked(years, year).map((one) => ({
          value: String(one),
          label: String(one),
        })),
      ]}
    />
    <FilterSelect list={list} name="cycleLength" label="Length" className="w-36" options={lengths} />
    <SortSelect choices={orders} className="w-full sm:w-56" {...list.sorted} />
  </div>
)

/** A year that the address names stands among the choices, whether a cycle began in it or not. */
const withAsked = (years: readonly number[], year: number | undefined) =>
  year === undefined || years.includes(year) ? years : [year, ...years]
