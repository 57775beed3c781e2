import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type FailedOrder,
  needsDecision,
  paidMeanwhile,
  recoveryStatuses,
  listFailedOrders,
  type RecoverySort,
  recoverySorts,
} from '#contracts/payments-console'
import { classes } from '../../lib/classes'
import { counted, kwacha, paidWithText } from '../../lib/format'
import { readFilters, useListAddress, type ListAddress, type Sorting } from '../../lib/list-address'
import { schoolClock, schoolDay } from '../../lib/school-moment'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { Card, CardBody } from '../../ui/card'
import { type DataColumn, DataTable } from '../../ui/data-table'
import { bothWays, FilterSelect, SearchField, SortSelect } from '../../ui/filters'
import { PagedList, ListCount } from '../../ui/paged-list'
import { EmptyState } from '../../ui/query-result'
import type { SortProps } from '../../ui/sort-head'
import { failedOrdersQuery, useRetry, statusTone } from './amendments'
import { type Judgement, JudgementDialog } from './judgement-dialog'
import { RecoveryDetails } from './recovery-details'

type OrderRecoveryProps = { onHistory: (asked: { attemptId: string; title: string }) => void }

/** State is in the address. */
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

type RecoveryListProps = OrderRecoveryProps & { orders: FailedOrder[]; sorted: SortProps<RecoverySort> }

const RecoveryList = ({ orders, sorted, onHistory }: RecoveryListProps) => {
  const [opened, setOpened] = useState<string | null>(null)
  const order = orders.find(({ id }) => id === opened)
  return (
    <>
      <DataTable
        label="Failed orders"
        columns={columnsOf(({ id }) => setOpened(id))}
        rows={orders}
        keyOf={({ id }) => id}
        sorted={sorted}
      />
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
      ? 'No failed order matches. Try a shorter search, or choose all statuses.'
      : 'Every payment has become the orders it was made for.'}
  </EmptyState>
)

type FailedAttemptProps = { order: FailedOrder; onHistory: () => void; onClose: () => void }

/** Details, or the judgement question. */
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
  { value: '', label: 'All not paid since' },
  { value: needsDecision, label: 'Needs somebody to decide' },
  ...recoveryStatuses.map((one) => ({ value: one, label: one })),
  { value: paidMeanwhile, label: 'Paid since, nothing to do' },
]

/** Filters, and order on cards. */
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

const columnsOf = (onOpen: (order: FailedOrder) => void): DataColumn<FailedOrder, RecoverySort>[] => [
  {
    label: 'Date',
    by: 'date',
    width: 'half',
    className: '@max-4xl:order-1 @max-4xl:text-muted',
    cell: ({ orderDate }) => (
      <time dateTime={orderDate}>
        <span className="money">{schoolDay(orderDate)}</span>{' '}
        <span className="money @4xl:block @4xl:text-muted">{schoolClock(orderDate)}</span>
      </time>
    ),
  },
  {
    label: 'Customer',
    by: 'customer',
    width: 'full',
    className: '@max-4xl:order-3',
    cell: ({ customer, parentName, student }) => (
      <>
        {parentName ? <span className="block font-semibold break-words">{parentName}</span> : null}
        <span className={classes('break-words', parentName ? 'text-muted' : 'font-semibold')}>
          {customer}
        </span>
        <span className="block text-xs text-muted">{student.name}</span>
      </>
    ),
  },
  {
    label: 'Amount',
    by: 'amount',
    headClass: 'text-right',
    width: 'half',
    className: 'text-right font-semibold @max-4xl:order-2',
    cell: (order) => (
      <>
        <span className="money">{kwacha(order.amount)}</span>
        <Received order={order} />
      </>
    ),
  },
  {
    label: 'Status',
    by: 'status',
    width: 'full',
    className: '@max-4xl:order-3',
    cell: ({ status, paidWith }) => (
      <>
        <StatusBadge status={status} />
        {paidWith === null ? null : (
          <p className="mt-1 text-sm font-semibold break-words">{paidWithText(paidWith)}</p>
        )}
      </>
    ),
  },
  {
    label: 'Error',
    named: true,
    width: 'full',
    className: 'break-words @max-4xl:order-3',
    cell: ({ error }) => (error ? <span className="line-clamp-4">{error}</span> : 'None'),
  },
  {
    label: 'Payment ref',
    by: 'reference',
    headClass: 'w-33',
    named: true,
    width: 'full',
    className: 'text-xs break-all @max-4xl:order-3',
    cell: ({ paymentRef }) => paymentRef,
  },
  {
    label: 'Actions',
    hideLabel: true,
    width: 'full',
    className: '@max-4xl:order-3',
    cell: (order) => <RowActions order={order} onOpen={() => onOpen(order)} />,
  },
]

const RowActions = ({ order, onOpen }: { order: FailedOrder; onOpen: () => void }) => {
  const { retryWith, retrying } = useRetry(order)
  const whose = `the order of ${order.customer}, ${kwacha(order.amount)}`
  return (
    <div className="flex flex-wrap gap-2 @4xl:flex-col @4xl:items-stretch">
      {order.paidWith === null ? (
        <Button
          size="sm"
          icon="refresh"
          aria-label={`Retry ${whose}`}
          disabled={!order.allowed.retry}
          busy={retrying}
          onClick={() => void retryWith([])}
        >
          Retry
        </Button>
      ) : null}
      <Button size="sm" variant="secondary" aria-label={`Details of ${whose}`} onClick={onOpen}>
        Details
      </Button>
    </div>
  )
}

const Received = ({ order: { receivedAmount, amount } }: { order: FailedOrder }) =>
  receivedAmount === null ? null : (
    <span
      className={classes('money block text-xs', receivedAmount === amount ? 'text-muted' : 'text-danger-700')}
    >
      {`Received ${kwacha(receivedAmount)}`}
    </span>
  )

const StatusBadge = ({ status }: Pick<FailedOrder, 'status'>) => (
  <span className="inline-block max-w-full [&>span]:whitespace-normal">
    <Badge tone={statusTone(status)}>{status}</Badge>
  </span>
)
