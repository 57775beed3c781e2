import type { PendingSort } from '#contracts/pending-payments'
import { bothWays } from '../../lib/both-ways'
import type { ListAddress, Sorting } from '../../lib/list-address'
import { SearchField } from '../../ui/search-field'
import { SortSelect } from '../../ui/sort-select'

export const longestWaiting: Sorting<PendingSort> = { sort: 'waiting', direction: 'asc' }

const orders = [
  ...bothWays<PendingSort>('waiting', 'Waiting', 'age'),
  ...bothWays<PendingSort>('parent', 'Parent', 'text'),
  ...bothWays<PendingSort>('amount', 'Amount', 'number'),
  ...bothWays<PendingSort>('orders', 'Orders', 'number'),
]

type PendingFiltersProps = { text: string; list: ListAddress<PendingSort> }

/** Whose payments are shown, and in which order. */
export const PendingFilters = ({ text, list }: PendingFiltersProps) => (
  <div className="flex flex-wrap items-end gap-3">
    <SearchField
      label="Search parent, student, meal or reference"
      className="min-w-0 grow basis-64"
      value={text}
      onSearch={(wanted) => list.onTyped({ text: wanted || null })}
    />
    <SortSelect choices={orders} className="w-full sm:w-56" {...list.sorted} />
  </div>
)
