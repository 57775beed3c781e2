import { type FailedOrder, recoveryStatuses } from '#contracts/payments-console'
import type { RecoverySort } from '#contracts/recovery-list'
import type { ListAddress, Sorting } from '../../lib/list-address'
import { SearchField } from '../../ui/search-field'
import { Select } from '../../ui/select'
import { SortSelect } from '../../ui/sort-select'
import { bothWays } from '../../lib/both-ways'

const statuses = [
  { value: '', label: 'All statuses' },
  ...recoveryStatuses.map((one) => ({ value: one, label: one })),
]

type RecoveryFiltersProps = { filters: RecoveryFilters; list: ListAddress<RecoverySort> }

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

export const newestFirst: Sorting<RecoverySort> = { sort: 'date', direction: 'desc' }

const orders = [
  ...bothWays<RecoverySort>('date', 'Date', 'age'),
  ...bothWays<RecoverySort>('customer', 'Customer', 'text'),
  ...bothWays<RecoverySort>('amount', 'Amount', 'number'),
  ...bothWays<RecoverySort>('status', 'Status', 'text'),
  ...bothWays<RecoverySort>('reference', 'Payment ref', 'text'),
]

/** Which failed orders are shown; a filter that is absent takes all. */
export type RecoveryFilters = { status?: FailedOrder['status']; text?: string }

/** What the address asks for; anything that is no filter counts as not set. */
export const filtersInAddress = (address: URLSearchParams): RecoveryFilters => {
  const status = recoveryStatuses.find((one) => one === address.get('status'))
  const text = address.get('text')?.trim().slice(0, 100)
  return { ...(status ? { status } : {}), ...(text ? { text } : {}) }
}
