import type { AdminSort } from '#contracts/administrators'
import { SearchField } from '../../ui/search-field'
import { Select } from '../../ui/select'
import type { SortProps } from '../../ui/sort-head'
import { type SortChoice, SortSelect } from '../../ui/sort-select'
import { type AdminsAsked, byRank } from './admins-address'
import type { FeatureWords } from './feature-words'

const orders: readonly SortChoice<AdminSort>[] = [
  { ...byRank, label: 'superadmin first' },
  { sort: 'rank', direction: 'desc', label: 'superadmin last' },
  { sort: 'username', direction: 'asc', label: 'Username, A to Z' },
  { sort: 'username', direction: 'desc', label: 'Username, Z to A' },
  { sort: 'features', direction: 'desc', label: 'Most features first' },
  { sort: 'features', direction: 'asc', label: 'Fewest features first' },
  { sort: 'created', direction: 'desc', label: 'Newest first' },
  { sort: 'created', direction: 'asc', label: 'Oldest first' },
]

type AdminFiltersProps = {
  asked: AdminsAsked
  features: readonly FeatureWords[]
  onSearch: (text: string) => void
  /** '' takes all. */
  onFeature: (value: string) => void
  onSort: SortProps<AdminSort>['onSort']
}

/** Which administrators are shown, and in which order. */
export const AdminFilters = ({ asked, features, onSearch, onFeature, onSort }: AdminFiltersProps) => (
  <div className="flex flex-wrap items-end gap-3">
    <SearchField
      label="Search usernames"
      className="min-w-0 grow basis-56"
      value={asked.search}
      onSearch={onSearch}
    />
    <Select
      label="Holds"
      className="w-full sm:w-48"
      options={[
        { value: '', label: 'Any features' },
        ...features.map(({ key, label }) => ({ value: key, label })),
      ]}
      value={asked.feature ?? ''}
      onChange={(event) => onFeature(event.target.value)}
    />
    <SortSelect choices={orders} sorting={asked.sorting} onSort={onSort} className="w-full sm:w-60" />
  </div>
)
