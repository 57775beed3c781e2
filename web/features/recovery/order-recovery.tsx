import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type FailedOrder, recoveryStatuses } from '#contracts/payments-console'
import { listFailedOrders, type RecoverySort, recoverySorts } from '#contracts/recovery-list'
import { counted, kwacha } from '../../lib/format'
import { readFilters, useListAddress, type ListAddress, type Sorting } from '../../lib/list-address'
import { Button } from '../../ui/button'
import { Card, CardBody } from '../../ui/card'
import { EmptyState } from '../../ui/empty-state'
import { PagedList, ListCount } from '../../ui/paged-list'
import type { SortProps } from '../../ui/sort-head'
import { type StackedColumn, StackedTable } from '../../ui/stacked-table'
import { failedOrdersQuery } from './api'
import { RecoveryRow } from './recovery-row'
import { type Judgement, JudgementDialog } from './judgement-dialog'
import { RecoveryDetails } from './details/recovery-details'
import { useRetry } from './use-retry'
import { bothWays, FilterSelect, SearchField, SortSelect } from '../../ui/list-filters'

type OrderRecoveryProps = { onHistory: (asked: { attemptId: string; title: string }) => void }

/** Payments that did not become the orders they should have; filters, order and page are in the address. */
export const OrderRecovery = ({ onHistory }: OrderRecoveryProps) => {
  const list = useListAddress(recoverySorts, newestFirst)
  const filters = readFilters(list.address, listFailedOrders.query, ['status', 'text'])
  const orders = useQuery(failedOrdersQuery({ ...list.query, ...filters }))
  return (
    <Card>
      <CardBody className="flex flex-col gap-4">
        <div className="flex flex-wrap items-end gap-3">
          <RecoveryFilters list={list} />
          <Button
            variant="secondary"
            icon="refresh"
            busy={orders.isFetching}
            onClick={() => void orders.refetch()}
          >
            Refresh
          </Button>
        </div>
        <PagedList
          query={orders}
          list={list}
          pages={({ metadata }) => metadata}
          failure="Failed to fetch failed orders"
          empty={<NoFailedOrders filtered={Object.keys(filters).length > 0} />}
          renderHead={(total) => <ListCount>{counted(total, 'failed order')}</ListCount>}
        >
          {({ data }) => <RecoveryList orders={data} sorted={list.sorted} onHistory={onHistory} />}
        </PagedList>
      </CardBody>
    </Card>
  )
}

const columns: readonly StackedColumn<RecoverySort>[] = [
  { label: 'Date', by: 'date' },
  { label: 'Customer', by: 'customer' },
  { label: 'Amount', by: 'amount', className: 'text-right' },
  { label: 'Status', by: 'status' },
  { label: 'Error' },
  { label: 'Payment ref', by: 'reference', className: 'w-33' },
  { label: 'Actions', hideLabel: true },
]

type RecoveryListProps = OrderRecoveryProps & { orders: FailedOrder[]; sorted: SortProps<RecoverySort> }

const RecoveryList = ({ orders, sorted, onHistory }: RecoveryListProps) => {
  const [opened, setOpened] = useState<string | null>(null)
  const order = orders.find(({ id }) => id === opened)
  return (
    <>
      <StackedTable label="Failed orders" columns={columns} sorted={sorted}>
        {orders.map((one) => (
          <RecoveryRow key={one.id} order={one} onOpen={() => setOpened(one.id)} />
        ))}
      </StackedTable>
      {order ? (
        <FailedAttempt
          key={order.id}
          order={order}
          onHistory={() =>
            onHistory({ attemptId: order.id, title: `${order.customer}, ${kwacha(order.amount)}` })
          }
          onClose={() => setOpened(null)}
        />
      ) : null}
    </>
  )
}

const NoFailedOrders = ({ filtered }: { filtered: boolean }) => (
  <EmptyState title="No failed orders found" icon="check">
    {filtered
      ? 'No failed order matches. Search for less, or choose all statuses.'
      : 'Every payment has become the orders it was made for.'}
  </EmptyState>
)

type FailedAttemptProps = { order: FailedOrder; onHistory: () => void; onClose: () => void }

/** The details of one attempt, or the question before a judgement about it. */
const FailedAttempt = ({ order, onHistory, onClose }: FailedAttemptProps) => {
  const [judging, setJudging] = useState<Judgement | null>(null)
  const { retryWith, retrying } = useRetry(order)
  if (judging)
    return (
      <JudgementDialog
        key={judging}
        order={order}
        judgement={judging}
        onJudged={onClose}
        onClose={() => setJudging(null)}
      />
    )
  return (
    <RecoveryDetails
      order={order}
      onRetry={retryWith}
      retrying={retrying}
      onAccept={() => setJudging('accept')}
      onWaive={() => setJudging('waive')}
      onHistory={onHistory}
      onClose={onClose}
    />
  )
}

const statuses = [
  { value: '', label: 'All statuses' },
  ...recoveryStatuses.map((one) => ({ value: one, label: one })),
]

/** Which failed orders are shown, and in which order where no heads say it. */
const RecoveryFilters = ({ list }: { list: ListAddress<RecoverySort> }) => (
  <>
    <SearchField
      list={list}
      name="text"
      label="Search customer, student or payment"
      className="min-w-0 grow basis-56"
    />
    <FilterSelect list={list} name="status" label="Status" className="w-full sm:w-80" options={statuses} />
    <SortSelect choices={orders} className="w-full sm:w-56 xl:hidden" {...list.sorted} />
  </>
)

const newestFirst: Sorting<RecoverySort> = { sort: 'date', direction: 'desc' }

const orders = [
  ...bothWays<RecoverySort>('date', 'Date', 'age'),
  ...bothWays<RecoverySort>('customer', 'Customer', 'text'),
  ...bothWays<RecoverySort>('amount', 'Amount', 'number'),
  ...bothWays<RecoverySort>('status', 'Status', 'text'),
  ...bothWays<RecoverySort>('reference', 'Payment ref', 'text'),
]
