import { recoveryStatuses } from '#contracts/payments-console'
import type { RecoverySort } from '#contracts/recovery-list'
import type { ListAddress } from '../../lib/use-list-address'
import { SearchField } from '../../ui/search-field'
import { Select } from '../../ui/select'
import { SortSelect } from '../../ui/sort-select'
import { orders } from './recovery-address'
import type { RecoveryFilters as Filters } from './recovery-address'

const statuses = [
  { value: '', label: 'All statuses' },
  ...recoveryStatuses.map((one) => ({ value: one, label: one })),
]

type RecoveryFiltersProps = { filters: Filters; list: ListAddress<RecoverySort> }

/** Which failed orders are shown, and in which order where no heads say it. */
export const RecoveryFilters = ({ filters, list }: RecoveryFiltersProps) => (
  <>
    <SearchField
      label="Search customer, student or payment"
      className="min-w-0 grow basis-56"
      value={filters.text ?? ''}
      onSearch={(text) => list.onTyped({ text: text || null })}
    />
    <Select
      label="Status"
      className="w-full sm:w-80"
      options={statuses}
      value={filters.status ?? ''}
      onChange={(event) => list.onFilter({ status: event.target.value || null })}
    />
    <SortSelect choices={orders} className="w-full sm:w-56 xl:hidden" {...list.sorted} />
  </>
)
