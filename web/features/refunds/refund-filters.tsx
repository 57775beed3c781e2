import type { RefundSort } from '#contracts/refunds'
import type { ListAddress } from '../../lib/list-address'
import { SearchField } from '../../ui/search-field'
import { Select } from '../../ui/select'
import { SortSelect } from '../../ui/sort-select'
import { orders, type RefundFilters as Filters } from './refunds-address'

const statuses = [
  { value: '', label: 'To be refunded' },
  { value: 'refunded', label: 'Paid back' },
  { value: 'all', label: 'Both' },
]

type RefundFiltersProps = { filters: Filters; list: ListAddress<RefundSort> }

/** Which refunds are shown, and in which order. */
export const RefundFilters = ({ filters, list }: RefundFiltersProps) => (
  <div className="flex flex-wrap items-end gap-3">
    <SearchField
      label="Search student, menu item or order"
      className="min-w-0 grow basis-64"
      value={filters.text ?? ''}
      onSearch={(text) => list.onTyped({ text: text || null })}
    />
    <Select
      label="Show"
      className="w-44"
      options={statuses}
      value={filters.status ?? ''}
      onChange={(event) => list.onFilter({ status: event.target.value || null })}
    />
    <SortSelect choices={orders} className="w-64" {...list.sorted} />
  </div>
)
