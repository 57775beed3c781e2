import type { CodeSort } from '#contracts/discount-codes'
import { SearchField } from '../../ui/search-field'
import { Select } from '../../ui/select'
import type { SortProps } from '../../ui/sort-head'
import { type SortChoice, SortSelect } from '../../ui/sort-select'
import { type CodesAsked, newestFirst } from './codes-address'

const states = [
  { value: '', label: 'All Codes' },
  { value: 'true', label: 'Active Only' },
  { value: 'false', label: 'Inactive Only' },
]

const orders: readonly SortChoice<CodeSort>[] = [
  { ...newestFirst, label: 'Newest first' },
  { sort: 'created', direction: 'asc', label: 'Oldest first' },
  { sort: 'code', direction: 'asc', label: 'Code, A to Z' },
  { sort: 'code', direction: 'desc', label: 'Code, Z to A' },
  { sort: 'user', direction: 'asc', label: 'User, A to Z' },
  { sort: 'user', direction: 'desc', label: 'User, Z to A' },
  { sort: 'discount', direction: 'desc', label: 'Highest discount first' },
  { sort: 'discount', direction: 'asc', label: 'Lowest discount first' },
  { sort: 'active', direction: 'desc', label: 'Active first' },
  { sort: 'active', direction: 'asc', label: 'Inactive first' },
]

type CodeFiltersProps = {
  asked: CodesAsked
  sorted: SortProps<CodeSort>
  onSearch: (text: string) => void
  /** '' takes all. */
  onActive: (value: string) => void
}

/** Which codes are shown, and in which order. */
export const CodeFilters = ({ asked, sorted, onSearch, onActive }: CodeFiltersProps) => (
  <div className="flex flex-wrap items-end gap-3">
    <SearchField
      label="Search codes and usernames"
      className="min-w-0 grow basis-64"
      value={asked.search}
      onSearch={onSearch}
    />
    <Select
      label="Codes"
      className="w-full sm:w-40"
      options={states}
      value={asked.active === null ? '' : String(asked.active)}
      onChange={(event) => onActive(event.target.value)}
    />
    <SortSelect choices={orders} {...sorted} className="w-full sm:w-60" />
  </div>
)
