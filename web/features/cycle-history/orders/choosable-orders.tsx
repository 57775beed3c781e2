import { type ReactNode, useState } from 'react'
import type { CycleOrder, CycleOrderSort } from '#contracts/cycle-orders'
import type { SortProps } from '../../../ui/sort-head'
import { type Settable, StatusBar } from '../status/status-bar'
import type { LeftOrder } from '../status/act-words'
import { type OnHistory, titleOf } from '../order-words'
import { Checkbox } from '../../../ui/checkbox'
import { SortSelect } from '../../../ui/list-filters'
import { type StackedColumn, StackedTable } from '../../../ui/stacked-table'
import { choices, type HistoryFilters } from '../filter-panel'
import { OrderRow } from './order-row'
import { mostOrders, SelectEvery } from './select-every'

type ChoosableOrdersProps = {
  orders: readonly CycleOrder[]
  /** The filters and the order of the list, written out; another list forgets the selection. */
  listed: string
  sorted: SortProps<CycleOrderSort>
  /** True while these orders are only shown until others have come. */
  leaving: boolean
  changing: boolean
  /** Answers whether the change was made. */
  onChange: (orders: readonly CycleOrder[], status: Settable) => Promise<boolean>
  /** Told after another act on the chosen orders, with those that it did not reach. */
  onActed: (orders: readonly CycleOrder[], left: readonly LeftOrder[]) => void
  filters: HistoryFilters
  /** How many orders the list has on all pages. */
  total: number
  onHistory: OnHistory
  /** Stands between the orders and the bar at the foot. */
  children: ReactNode
}

/** The orders of a page with the selection, which holds those of other pages of the same list too. */
export const ChoosableOrders = ({
  orders,
  listed,
  sorted,
  leaving,
  changing,
  onChange,
  onActed,
  filters,
  total,
  onHistory,
  children,
}: ChoosableOrdersProps) => {
  const [selection, setSelection] = useState<Selection>(new Map())
  const clear = () => setSelection(new Map())
  // Not by a key: with the table the heading that was pressed would go, and the focus with it.
  const [listedBefore, setListedBefore] = useState(listed)
  if (listedBefore !== listed) {
    setListedBefore(listed)
    clear()
  }
  const here = orders.filter(({ id }) => selection.has(id)).length
  return (
    <>
      <OrderTable
        orders={orders}
        sorted={sorted}
        selection={selection}
        busy={leaving || changing}
        onSwitch={(some) => setSelection(switched(selection, some))}
        onHistory={onHistory}
      >
        {total > orders.length && total <= mostOrders && selection.size < total ? (
          <SelectEvery
            key={listed}
            filters={filters}
            total={total}
            onSelect={(every) => setSelection(new Map(every.map((order) => [order.id, order])))}
          />
        ) : null}
      </OrderTable>
      {children}
      {selection.size > 0 ? (
        <StatusBar
          chosen={chosenAmong(selection, orders)}
          elsewhere={selection.size - here}
          busy={changing}
          onChange={async (some, status) => {
            if (await onChange(some, status)) clear()
          }}
          onActed={(some, left) => {
            onActed(some, left)
            clear()
          }}
          onClear={clear}
        />
      ) : null}
    </>
  )
}

/** The chosen orders by id, as they were when they were chosen; they may be on other pages by now. */
export type Selection = ReadonlyMap<string, CycleOrder>

/** Selects these orders, or none of them when all were selected. */
const switched = (selection: Selection, orders: readonly CycleOrder[]): Selection => {
  const next = new Map(selection)
  const all = orders.every(({ id }) => next.has(id))
  for (const order of orders) {
    if (all) next.delete(order.id)
    else next.set(order.id, order)
  }
  return next
}

/** The chosen orders, those that are shown as they are now. */
const chosenAmong = (selection: Selection, shown: readonly CycleOrder[]): CycleOrder[] => {
  const now = new Map(shown.map((order) => [order.id, order]))
  return [...selection.values()].map((order) => now.get(order.id) ?? order)
}

type OrderTableProps = {
  orders: readonly CycleOrder[]
  sorted: SortProps<CycleOrderSort>
  selection: Selection
  /** While another page is fetched: nothing is chosen among what is about to go. */
  busy: boolean
  onSwitch: (orders: readonly CycleOrder[]) => void
  onHistory: OnHistory
  /** Stands beside the box that selects the page. */
  children: ReactNode
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
const OrderTable = ({ orders, sorted, selection, busy, onSwitch, onHistory, children }: OrderTableProps) => {
  const chosen = orders.filter(({ id }) => selection.has(id)).length
  return (
    <>
      <SortSelect choices={choices} className="w-full sm:w-64 xl:hidden" {...sorted} />
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <Checkbox
          label="Select all on this page"
          checked={orders.length > 0 && chosen === orders.length}
          ref={(box) => {
            if (box) box.indeterminate = chosen > 0 && chosen < orders.length
          }}
          disabled={busy || orders.length === 0}
          onChange={() => onSwitch(orders)}
          className="min-h-11! px-2 text-sm font-semibold"
        />
        {children}
      </div>
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
