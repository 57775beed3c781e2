import type { CycleOrder, CycleOrderSort } from '#contracts/cycle-orders'
import { Checkbox } from '../../../ui/checkbox'
import type { SortProps } from '../../../ui/sort-head'
import { SortSelect } from '../../../ui/list-filters'
import { type StackedColumn, StackedTable } from '../../../ui/stacked-table'
import { choices } from '../history-filters'
import { OrderRow } from './order-row'
import { type OnHistory, titleOf } from '../order-words'
import type { Selection } from './selection'

type OrderTableProps = {
  orders: readonly CycleOrder[]
  sorted: SortProps<CycleOrderSort>
  selection: Selection
  /** While another page is fetched: nothing is chosen among what is about to go. */
  busy: boolean
  onSwitch: (orders: readonly CycleOrder[]) => void
  onHistory: OnHistory
}

const columns: readonly StackedColumn<CycleOrderSort>[] = [
  { label: 'Select', hideLabel: true },
  { label: 'Order Date', by: 'date' },
  { label: 'Student', by: 'student' },
  { label: 'Menu Item(s)', by: 'item' },
  { label: 'Week and Day', by: 'day' },
  { label: 'Details' },
  { label: 'Price', by: 'price', className: 'text-right' },
  { label: 'Status', by: 'status' },
  { label: 'History', hideLabel: true },
]

/** The orders of a page, to be chosen one by one or all together. */
export const OrderTable = ({ orders, sorted, selection, busy, onSwitch, onHistory }: OrderTableProps) => {
  const chosen = orders.filter(({ id }) => selection.has(id)).length
  return (
    <>
      <SortSelect choices={choices} className="w-full sm:w-64 xl:hidden" {...sorted} />
      <Checkbox
        label="Select all on this page"
        checked={orders.length > 0 && chosen === orders.length}
        ref={(box) => {
          if (box) box.indeterminate = chosen > 0 && chosen < orders.length
        }}
        disabled={busy || orders.length === 0}
        onChange={() => onSwitch(orders)}
        className="min-h-11! self-start px-2 text-sm font-semibold"
      />
      <StackedTable label="Orders" columns={columns} sorted={sorted}>
        {orders.map((order) => (
          <OrderRow
            key={order.id}
            order={order}
            chosen={selection.has(order.id)}
            busy={busy}
            onSwitch={() => onSwitch([order])}
            onHistory={() => onHistory({ orderId: order.id, title: titleOf(order) })}
          />
        ))}
      </StackedTable>
    </>
  )
}
