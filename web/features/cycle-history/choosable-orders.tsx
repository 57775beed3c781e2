import { type ReactNode, useState, useEffect, useRef } from 'react'
import type { CycleOrder, CycleOrderSort } from '#contracts/order-reports'
import { counted, wholeNumber } from '../../lib/format'
import { notifyFailure } from '../../lib/toast'
import { Button } from '../../ui/button'
import { type Selection, useSelection } from '../../ui/selection'
import type { SortProps } from '../../ui/sort-head'
import { readAllOrders } from './export-bar'
import type { HistoryFilters } from './filter-panel'
import type { SkippedOrder, OnHistory } from './history-orders'
import { OrderTable } from './order-table'
import { type Settable, StatusBar } from './status-bar'

type ChoosableOrdersProps = {
  orders: readonly CycleOrder[]
  /** Identifies filters and order; another list clears the selection. */
  listed: string
  sorted: SortProps<CycleOrderSort>
  leaving: boolean
  changing: boolean
  onChange: (orders: readonly CycleOrder[], status: Settable) => Promise<boolean>
  onActed: (orders: readonly CycleOrder[], left: readonly SkippedOrder[]) => void
  filters: HistoryFilters
  total: number
  onHistory: OnHistory
  /** Between the orders and the bar. */
  children: ReactNode
}

/** The selection spans pages of one list. */
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
  const selection = useSelection<CycleOrder>(listed)
  const { chosen, clear } = selection
  const here = orders.filter(({ id }) => chosen.has(id)).length
  return (
    <>
      <OrderTable
        orders={orders}
        sorted={sorted}
        selection={selection}
        busy={leaving || changing}
        onHistory={onHistory}
      >
        {total > orders.length && total <= maxOrders && chosen.size < total ? (
          <SelectEvery key={listed} filters={filters} total={total} onSelect={selection.choose} />
        ) : null}
      </OrderTable>
      {children}
      {chosen.size > 0 ? (
        <StatusBar
          chosen={chosenAmong(chosen, orders)}
          elsewhere={chosen.size - here}
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

const chosenAmong = (chosen: Selection<CycleOrder>['chosen'], shown: readonly CycleOrder[]) => {
  const now = new Map(shown.map((order) => [order.id, order]))
  return [...chosen.values()].map((order) => now.get(order.id) ?? order)
}

/** The most orders that one act takes. */
const maxOrders = 5000

type SelectEveryProps = {
  filters: HistoryFilters
  total: number
  onSelect: (orders: CycleOrder[]) => void
}

/** Selects all pages; cancelled on leaving the list. */
const SelectEvery = ({ filters, total, onSelect }: SelectEveryProps) => {
  const [read, setRead] = useState<number | null>(null)
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const select = async () => {
    const stopping = new AbortController()
    running.current = stopping
    setRead(0)
    try {
      const every = await readAllOrders(filters, {
        signal: stopping.signal,
        onProgress: (progress) => setRead(progress.read),
      })
      if (!stopping.signal.aborted) onSelect(every.slice(0, maxOrders))
    } catch (error) {
      if (!stopping.signal.aborted) notifyFailure(error, 'Failed to fetch cycle orders')
    } finally {
      setRead(null)
    }
  }
  return (
    <Button
      variant="ghost"
      size="sm"
      busy={read !== null}
      busyLabel={`Selecting ${wholeNumber(read ?? 0)} of ${counted(total, 'order')}`}
      onClick={() => void select()}
    >
      {`Select all ${counted(total, 'order')}`}
    </Button>
  )
}
