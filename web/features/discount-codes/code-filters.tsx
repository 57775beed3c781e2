import type { CodeSort } from '#contracts/discount-codes'
import type { ListAddress, Sorting } from '../../lib/list-address'
import { FilterSelect, SearchField, type SortChoice, SortSelect } from '../../ui/list-filters'

export const newestFirst: Sorting<CodeSort> = { sort: 'created', direction: 'desc' }

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

/** Which codes are shown, and in which order. */
export const CodeFilters = ({ list }: { list: ListAddress<CodeSort> }) => (
  <div className="flex flex-wrap items-end gap-3">
    <SearchField
      list={list}
      name="search"
      label="Search codes and usernames"
      className="min-w-0 grow basis-64"
    />
    <FilterSelect list={list} name="active" label="Codes" className="w-full sm:w-40" options={states} />
    <SortSelect choices={orders} className="w-full sm:w-60" {...list.sorted} />
  </div>
)

/** What the address asks for; anything that is no filter counts as not set. */
export const filtersInAddress = (address: URLSearchParams): { search?: string; active?: boolean } => {
  const search = address.get('search')?.trim()
  const active = address.get('active')
  return {
    ...(search ? { search } : {}),
    ...(active === 'true' || active === 'false' ? { active: active === 'true' } : {}),
  }
}
