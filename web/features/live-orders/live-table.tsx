import { type LiveOrder, type LiveSort, liveSorts } from '#contracts/payments-console'
import type { SortProps } from '../../ui/sort-head'
import { SortSelect } from '../../ui/list-filters'
import { type StackedColumn, StackedTable } from '../../ui/stacked-table'
import { filterColumns, type FilterKey, orders as choices } from './live-filters'
import { LiveRow } from './row/live-row'
import type { OnHistory } from './live-words'

type LiveTableProps = {
  orders: LiveOrder[]
  sorted: SortProps<LiveSort>
  open: ReadonlySet<string>
  onToggle: (id: string) => void
  onHistory: OnHistory
}

/** How wide each column is; Student and Items share what is left. */
const widths: Partial<Record<FilterKey, string>> = {
  time: 'w-26',
  parent: 'w-29',
  amount: 'w-22 text-right',
  status: 'w-31',
  transactionId: 'w-25',
  week: 'w-12',
  day: 'w-13',
}

const columns: readonly StackedColumn<LiveSort>[] = [
  { label: 'Details', hideLabel: true, className: 'w-11' },
  ...filterColumns.map(({ key, label }) => ({
    label,
    by: liveSorts.find((sort) => sort === key),
    className: widths[key],
  })),
  { label: 'History', hideLabel: true, className: 'w-11' },
]

/** The attempts of a page; each opens to its lines by child. */
export const LiveTable = ({ orders, sorted, open, onToggle, onHistory }: LiveTableProps) => (
  <>
    <SortSelect choices={choices} className="w-full sm:w-64 xl:hidden" {...sorted} />
    <StackedTable dense label="Payment attempts" columns={columns} sorted={sorted}>
      {orders.map((order) => (
        <LiveRow
          key={order.id}
          order={order}
          open={open.has(order.id)}
          onToggle={() => onToggle(order.id)}
          onHistory={onHistory}
          columns={columns.length}
        />
      ))}
    </StackedTable>
  </>
)
