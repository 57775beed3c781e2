import { useQuery, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReplyOf } from '#contracts/endpoint'
import type { setOrderStatus } from '#contracts/kitchen'
import {
  cycleOrderSorts,
  type cycleOrders,
  type CycleOrderSort,
  type CycleOrder,
} from '#contracts/order-reports'
import { counted } from '../../lib/format'
import { useListAddress, type ListAddress } from '../../lib/list-address'
import { notifyOutcome } from '../../lib/toast'
import { Card, CardBody } from '../../ui/card'
import { SkippedNotice } from '../../ui/notice'
import { BeyondLastPage, Pager } from '../../ui/paged-list'
import { EmptyState, type QueryState, QueryResult } from '../../ui/query-result'
import { ChoosableOrders } from './choosable-orders'
import { ExportBar } from './export-bar'
import { FilterPanel, filtersFromAddress, newestFirst, noFilters, type HistoryFilters } from './filter-panel'
import { ordersQuery, type OnHistory, changeStatus, type SkippedOrder, titleOf } from './history-orders'
import type { Settable } from './status-bar'
import { TakeBackMarks } from './take-back-marks'

export const CycleHistory = ({ onHistory }: { onHistory: OnHistory }) => {
  const list = useListAddress(cycleOrderSorts, newestFirst)
  const filters = filtersFromAddress(list.address)
  const orders = useQuery(ordersQuery({ ...list.query, ...filters }))
  return (
    <Card>
      <CardBody className="flex flex-col gap-4">
        <FilterPanel
          filters={filters}
          onFilter={(key, value) => list.onFilter({ [key]: value || null })}
          onClear={() => list.onFilter(noFilters)}
        />
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p aria-live="polite" className="money text-sm text-muted">
            {orders.data ? counted(orders.data.metadata.total, 'order') : null}
          </p>
          <div className="flex flex-wrap gap-2">
            <TakeBackMarks />
            <ExportBar filters={filters} />
          </div>
        </div>
        <OrderList orders={orders} filters={filters} list={list} onHistory={onHistory} />
      </CardBody>
    </Card>
  )
}

type OrdersAnswer = QueryState<ReplyOf<typeof cycleOrders>> & { isPlaceholderData: boolean }

type OrderListProps = {
  orders: OrdersAnswer
  filters: HistoryFilters
  list: ListAddress<CycleOrderSort>
  onHistory: OnHistory
}

/** The selection spans pages of one list. */
const OrderList = ({ orders, filters, list, onHistory }: OrderListProps) => {
  const { change, changing, skipped, keepSkipped, forgetSkipped } = useStatusChange()
  return (
    <>
      <SkippedNotice
        title={`${counted(skipped.length, 'order was', 'orders were')} skipped and stayed as before`}
        skipped={skipped}
        onRead={forgetSkipped}
      />
      <QueryResult<ReplyOf<typeof cycleOrders>>
        query={orders}
        failure="Failed to fetch cycle orders"
        isEmpty={({ metadata }) => metadata.total === 0}
        empty={<NoOrders filtered={Object.keys(filters).length > 0} />}
      >
        {({ data, metadata }) => (
          <ChoosableOrders
            orders={data}
            listed={JSON.stringify([filters, list.sorted.sorting])}
            sorted={list.sorted}
            leaving={orders.isPlaceholderData}
            changing={changing}
            onChange={change}
            onActed={keepSkipped}
            filters={filters}
            total={metadata.total}
            onHistory={onHistory}
          >
            {data.length === 0 ? (
              <BeyondLastPage lastPage={metadata.totalPages} onPage={list.onPage} />
            ) : (
              <Pager
                page={list.page}
                totalPages={metadata.totalPages}
                busy={orders.isPlaceholderData}
                onPage={list.onPage}
              />
            )}
          </ChoosableOrders>
        )}
      </QueryResult>
    </>
  )
}

const NoOrders = ({ filtered }: { filtered: boolean }) => (
  <EmptyState title="No orders found" icon="history">
    {filtered
      ? 'No order matches these filters. Clear one of them to see more.'
      : 'Orders are listed here as soon as a family has placed one.'}
  </EmptyState>
)

/** An order that a change did not reach, and why. */
type Skipped = { id: string; words: string }

/** Reports the result and keeps skipped orders. */
const useStatusChange = () => {
  const changing = useMutation(changeStatus)
  const [skipped, setSkipped] = useState<readonly Skipped[]>([])
  /** True if any order changed. */
  const change = async (orders: readonly CycleOrder[], status: Settable): Promise<boolean> => {
    const reply = await notifyOutcome(
      changing.mutateAsync({ body: { orderIds: orders.map(({ id }) => id), status } }),
      {
        done: doneText,
        failed: 'Failed to update order statuses',
        failedTitle: 'Error updating status',
      },
    )
    if (!reply) return false
    setSkipped(reply.skipped.map(({ id, message }) => ({ id, words: `${nameOf(orders, id)}: ${message}` })))
    return true
  }
  /** Shows orders that another act skipped. */
  const keepSkipped = (orders: readonly CycleOrder[], left: readonly SkippedOrder[]) =>
    setSkipped(
      left.map(({ orderId, message }) => ({ id: orderId, words: `${nameOf(orders, orderId)}: ${message}` })),
    )
  return {
    change,
    changing: changing.isPending,
    skipped,
    keepSkipped,
    forgetSkipped: () => setSkipped([]),
  }
}

const doneText = ({ updated, skipped }: ReplyOf<typeof setOrderStatus>) => {
  const left = skipped.length > 0 ? `, ${skipped.length} skipped` : ''
  return updated === 0
    ? {
        title: 'Error updating status',
        text: `${counted(skipped.length, 'order')} skipped`,
        kind: 'error' as const,
      }
    : { title: 'Status updated', text: `${counted(updated, 'order')} updated${left}` }
}

const nameOf = (orders: readonly CycleOrder[], id: string): string => {
  const order = orders.find((one) => one.id === id)
  return order ? titleOf(order) : `Order ${id}`
}
