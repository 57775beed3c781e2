import type { RefundSort } from '#contracts/refunds'
import type { ListAddress, Sorting } from '../../lib/list-address'
import { bothWays, FilterSelect, SearchField, SortSelect } from '../../ui/list-filters'

const statuses = [
  { value: '', label: 'To be refunded' },
  { value: 'refunded', label: 'Paid back' },
  { value: 'all', label: 'Both' },
]

/** Which refunds are shown, and in which order. */
export const RefundFilters = ({ list }: { list: ListAddress<RefundSort> }) => (
  <div className="flex flex-wrap items-end gap-3">
    <SearchField
      list={list}
      name="text"
      label="Search student, menu item or order"
      className="min-w-0 grow basis-64"
    />
    <FilterSelect list={list} name="status" label="Show" className="w-44" options={statuses} />
    <SortSelect choices={orders} className="w-64" {...list.sorted} />
  </div>
)

export const longestDue: Sorting<RefundSort> = { sort: 'due', direction: 'asc' }

const orders = [
  ...bothWays<RefundSort>('due', 'Due since', 'age'),
  ...bothWays<RefundSort>('date', 'Date', 'age'),
  ...bothWays<RefundSort>('student', 'Student', 'text'),
  ...bothWays<RefundSort>('item', 'Menu Item', 'text'),
  ...bothWays<RefundSort>('amount', 'Amount', 'number'),
  ...bothWays<RefundSort>('status', 'Status', 'text'),
]
