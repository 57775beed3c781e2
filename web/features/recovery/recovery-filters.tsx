import { recoveryStatuses } from '#contracts/payments-console'
import type { RecoverySort } from '#contracts/recovery-list'
import type { ListAddress, Sorting } from '../../lib/list-address'
import { bothWays, FilterSelect, SearchField, SortSelect } from '../../ui/list-filters'

const statuses = [
  { value: '', label: 'All statuses' },
  ...recoveryStatuses.map((one) => ({ value: one, label: one })),
]

/** Which failed orders are shown, and in which order where no heads say it. */
export const RecoveryFilters = ({ list }: { list: ListAddress<RecoverySort> }) => (
  <>
    <SearchField
      list={list}
      name="text"
      label="Search customer, student or payment"
      className="min-w-0 grow basis-56"
    />
    <FilterSelect list={list} name="status" label="Status" className="w-full sm:w-80" options={statuses} />
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
