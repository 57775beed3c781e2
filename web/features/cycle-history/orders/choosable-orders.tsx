import { type ReactNode, useState } from 'react'
import type { CycleOrder, CycleOrderSort } from '#contracts/cycle-orders'
import type { SortProps } from '../../../ui/sort-head'
import type { Settable } from '../status/change-words'
import { OrderTable } from './order-table'
import type { OnHistory } from '../order-words'
import { chosenAmong, type Selection, switched } from './selection'
import { StatusBar } from '../status/status-bar'

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
      />
      {children}
      {selection.size > 0 ? (
        <StatusBar
          chosen={chosenAmong(selection, orders)}
          elsewhere={selection.size - here}
          busy={changing}
          onChange={async (some, status) => {
            if (await onChange(some, status)) clear()
          }}
          onClear={clear}
        />
      ) : null}
    </>
  )
}
