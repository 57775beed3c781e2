import type { CycleOrder } from '#contracts/cycle-orders'
import { Checkbox } from '../../ui/checkbox'
import { StackedTable } from '../../ui/stacked-table'
import { OrderRow } from './order-row'
import { titleOf } from './order-words'
import type { OnHistory } from './order-words'
import type { Selection } from './selection'

type OrderTableProps = {
  orders: readonly CycleOrder[]
  selection: Selection
  /** While another page is fetched: nothing is chosen among what is about to go. */
  busy: boolean
  onSwitch: (orders: readonly CycleOrder[]) => void
  onHistory: OnHistory
}

const columns = [
  { label: 'Select', hideLabel: true },
  { label: 'Order Date' },
  { label: 'Student' },
  { label: 'Menu Item(s)' },
  { label: 'Week and Day' },
  { label: 'Details' },
  { label: 'Price', className: 'text-right' },
  { label: 'Status' },
  { label: 'History', hideLabel: true },
]

/** The orders of a page, to be chosen one by one or all together. */
export const OrderTable = ({ orders, selection, busy, onSwitch, onHistory }: OrderTableProps) => {
  const chosen = orders.filter(({ id }) => selection.has(id)).length
  return (
    <>
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
      <StackedTable label="Orders" columns={columns}>
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
