import type { AdminSort } from '#contracts/administrators'
import type { FeatureName } from '#contracts/identity'
import type { ListAddress, Sorting } from '../../lib/list-address'
import { FilterSelect, SearchField, SortSelect, bothOrders } from '../../ui/list-filters'

/** A feature under the name of the section it opens. */
export type FeatureWords = { key: FeatureName; label: string }

export const byRank: Sorting<AdminSort> = { sort: 'rank', direction: 'asc' }

const orders = [
  ...bothOrders<AdminSort>('rank', { asc: 'superadmin first', desc: 'superadmin last' }),
  ...bothOrders<AdminSort>('username', { asc: 'Username, A to Z', desc: 'Username, Z to A' }),
  ...bothOrders<AdminSort>('features', { desc: 'Most features first', asc: 'Fewest features first' }),
  ...bothOrders<AdminSort>('created', { desc: 'Newest first', asc: 'Oldest first' }),
]

type AdminFiltersProps = { list: ListAddress<AdminSort>; features: readonly FeatureWords[] }

/** Which administrators are shown, and in which order. */
export const AdminFilters = ({ list, features }: AdminFiltersProps) => (
  <div className="flex flex-wrap items-end gap-3">
    <SearchField list={list} name="search" label="Search usernames" className="min-w-0 grow basis-56" />
    <FilterSelect
      list={list}
      name="feature"
      label="Holds"
      className="w-full sm:w-48"
      options={[
        { value: '', label: 'Any features' },
        ...features.map(({ key, label }) => ({ value: key, label })),
      ]}
    />
    <SortSelect choices={orders} className="w-full sm:w-60" {...list.sorted} />
  </div>
)
