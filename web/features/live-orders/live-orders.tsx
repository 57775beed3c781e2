import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { liveSorts, type LiveOrder, type LiveSort } from '#contracts/payments-console'
import { useListAddress } from '../../lib/list-address'
import { Card, CardBody } from '../../ui/card'
import { EmptyState } from '../../ui/empty-state'
import { PagedList } from '../../ui/paged-list'
import { liveOrdersQuery } from './api'
import {
  FilterPanel,
  filtersFromAddress,
  newestFirst,
  parametersOf,
  filterColumns,
  type FilterKey,
  orders as choices,
} from './filter-panel'
import type { OnHistory } from './live-words'
import { messageOf } from '../../lib/call'
import { counted } from '../../lib/format'
import { schoolClock } from '../../lib/school-moment'
import { Icon } from '../../ui/icon'
import type { SortProps } from '../../ui/sort-head'
import { SortSelect } from '../../ui/list-filters'
import { type StackedColumn, StackedTable } from '../../ui/stacked-table'
import { LiveRow } from './row/live-row'

/** Every payment attempt, read again by itself; filters, order and page are in the address. */
export const LiveOrders = ({ onHistory }: { onHistory: OnHistory }) => {
  const list = useListAddress(liveSorts, newestFirst)
  const filters = filtersFromAddress(list.address)
  const orders = useQuery(liveOrdersQuery({ ...list.query, ...filters }))
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const toggle = (id: string) => {
    const next = new Set(open)
    if (!next.delete(id)) next.add(id)
    setOpen(next)
  }
  return (
    <Card>
      <CardBody className="flex flex-col gap-4">
        <FilterPanel
          key={JSON.stringify(filters)}
          filters={filters}
          onApply={(next) => list.onFilter(parametersOf(next))}
        />
        <PagedList
          query={orders}
          list={list}
          pages={({ pagination: { totalOrders, totalPages } }) => ({ total: totalOrders, totalPages })}
          failure="Failed to fetch orders"
          empty={<NoLiveOrders filtered={Object.keys(filters).length > 0} />}
          renderHead={(total) => <Freshness orders={orders} total={total} />}
        >
          {({ data }) => (
            <LiveTable
              orders={data}
              sorted={list.sorted}
              open={open}
              onToggle={toggle}
              onHistory={onHistory}
            />
          )}
        </PagedList>
      </CardBody>
    </Card>
  )
}

const NoLiveOrders = ({ filtered }: { filtered: boolean }) => (
  <EmptyState title="No Live Orders" icon="clock">
    {filtered
      ? 'No payment attempt matches these filters. Clear one of them to see more.'
      : 'Payment attempts appear here as soon as a family goes to pay.'}
  </EmptyState>
)

type FreshnessProps = {
  orders: { dataUpdatedAt: number; error: Error | null }
  total: number
}

/** How many there are and when they were last read; one line of its own, so that nothing below it jumps. */
const Freshness = ({ orders, total }: FreshnessProps) => (
  <div className="flex min-h-6 flex-wrap items-center justify-between gap-x-4 text-sm text-muted">
    <p className="money">{counted(total, 'payment attempt')}</p>
    {orders.error ? (
      <p role="alert" className="flex items-center gap-1.5 font-semibold text-danger-700">
        <Icon name="alert" size="sm" />
        {`Not refreshed since ${clock(orders.dataUpdatedAt)}. ${messageOf(orders.error, 'Failed to fetch orders')}`}
      </p>
    ) : (
      <p className="money">{`Refreshes by itself · last at ${clock(orders.dataUpdatedAt)}`}</p>
    )}
  </div>
)

const clock = (at: number) => schoolClock(new Date(at).toISOString())

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
const LiveTable = ({ orders, sorted, open, onToggle, onHistory }: LiveTableProps) => (
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
