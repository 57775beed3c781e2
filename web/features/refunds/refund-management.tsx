import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as z from 'zod/mini'
import { listRefunds, type Refund, type RefundSort, refundSorts } from '#contracts/refunds'
import { counted, kwacha, capitalised, gradeLabel } from '../../lib/format'
import { readFilters, useListAddress, type ListAddress, type Sorting } from '../../lib/list-address'
import { Card, CardBody } from '../../ui/card'
import { EmptyState } from '../../ui/empty-state'
import { PagedList, ListCount } from '../../ui/paged-list'
import type { SortProps } from '../../ui/sort-head'
import { type StackedColumn, StackedTable, StackedCell, StackedRow } from '../../ui/stacked-table'
import { refundsQuery } from './api'
import { RefundDialog } from './refund-dialog'
import { schoolDay } from '../../lib/school-moment'
import { Badge, type Tone } from '../../ui/badge'
import { Button } from '../../ui/button'
import { IconButton } from '../../ui/icon-button'
import { bothWays, FilterSelect, SearchField, SortSelect } from '../../ui/list-filters'

/** What the list may be filtered by: what is owed is shown when nothing else is asked for. */
const shown = z.extend(listRefunds.query, { status: z.enum(['refunded', 'all']) })

type RefundManagementProps = { onHistory: (asked: { refundId: string; title: string }) => void }

/** What is owed back to families, and on request what was; filters, order and page are in the address. */
export const RefundManagement = ({ onHistory }: RefundManagementProps) => {
  const list = useListAddress(refundSorts, longestDue)
  const filters = readFilters(list.address, shown, ['status', 'text'])
  const refunds = useQuery(refundsQuery({ ...list.query, ...filters }))
  return (
    <Card>
      <CardBody className="flex flex-col gap-4">
        <RefundFilters list={list} />
        <PagedList
          query={refunds}
          list={list}
          pages={({ metadata }) => metadata}
          failure="Failed to fetch refunds"
          empty={<NoRefunds filtered={Object.keys(filters).length > 0} />}
          renderHead={(total) => <ListCount>{counted(total, 'refund')}</ListCount>}
        >
          {({ data }) => <RefundList refunds={data} sorted={list.sorted} onHistory={onHistory} />}
        </PagedList>
      </CardBody>
    </Card>
  )
}

const NoRefunds = ({ filtered }: { filtered: boolean }) =>
  filtered ? (
    <EmptyState title="No results found" icon="refund">
      No refund matches. Search for less, or show all.
    </EmptyState>
  ) : (
    <EmptyState title="No orders pending refund" icon="refund">
      Paid orders that are cancelled appear here until their money is back with the family.
    </EmptyState>
  )

const columns: readonly StackedColumn<RefundSort>[] = [
  { label: 'Date', by: 'date' },
  { label: 'Student', by: 'student' },
  { label: 'Menu Item', by: 'item' },
  { label: 'Amount', by: 'amount', className: 'text-right' },
  { label: 'Status', by: 'status' },
  { label: 'History', hideLabel: true },
  { label: 'Actions', hideLabel: true },
]

type RefundListProps = RefundManagementProps & { refunds: Refund[]; sorted: SortProps<RefundSort> }

const RefundList = ({ refunds, sorted, onHistory }: RefundListProps) => {
  const [completing, setCompleting] = useState<Refund | null>(null)
  return (
    <>
      <StackedTable label="Refunds" columns={columns} sorted={sorted}>
        {refunds.map((refund) => (
          <RefundRow
            key={refund.id}
            refund={refund}
            onComplete={() => setCompleting(refund)}
            onHistory={() =>
              onHistory({
                refundId: refund.id,
                title: `${refund.menuItem.name} for ${refund.student.name}, ${kwacha(refund.amount)}`,
              })
            }
          />
        ))}
      </StackedTable>
      {completing ? (
        <RefundDialog key={completing.id} refund={completing} onClose={() => setCompleting(null)} />
      ) : null}
    </>
  )
}

type RefundRowProps = { refund: Refund; onComplete: () => void; onHistory: () => void }

/** One sum that is owed back or was paid back. */
const RefundRow = ({ refund, onComplete, onHistory }: RefundRowProps) => (
  <StackedRow>
    <StackedCell width="most" className="@max-4xl:order-1 @max-4xl:text-muted">
      <time dateTime={refund.orderDate} className="money">
        {schoolDay(refund.orderDate)}
      </time>
    </StackedCell>
    <StackedCell width="full" className="@max-4xl:order-3">
      <span className="font-semibold break-words">{refund.student.name}</span>{' '}
      <span className="text-xs text-muted @4xl:block">{gradeLabel(refund.student.grade)}</span>
    </StackedCell>
    <StackedCell width="full" className="@max-4xl:order-3">
      <span className="break-words">{refund.menuItem.name}</span>
      <span className="block text-xs break-words text-muted">
        {`${refund.reason}, since ${schoolDay(refund.dueSince)}`}
      </span>
    </StackedCell>
    <StackedCell width="third" className="text-right font-semibold @max-4xl:order-2">
      <span className="money">{kwacha(refund.amount)}</span>
    </StackedCell>
    <StackedCell width="half" className="@max-4xl:order-4 @max-4xl:py-3!">
      <Badge tone={tones[refund.status]}>{capitalised(refund.status)}</Badge>
    </StackedCell>
    <StackedCell width="half" className="@max-4xl:order-5">
      <div className="flex items-center justify-end">
        <IconButton
          icon="history"
          label={`History of ${refund.menuItem.name} for ${refund.student.name}`}
          onClick={onHistory}
        />
      </div>
    </StackedCell>
    <StackedCell width="full" className="@max-4xl:order-6 @4xl:w-px">
      {refund.allowed.complete ? (
        <Button
          size="sm"
          className="w-full whitespace-nowrap"
          aria-label={`Mark as Refunded: ${refund.menuItem.name} for ${refund.student.name}`}
          onClick={onComplete}
        >
          Mark as Refunded
        </Button>
      ) : null}
    </StackedCell>
  </StackedRow>
)

const tones: Record<Refund['status'], Tone> = {
  pending: 'warning',
  completed: 'brand',
  cancelled: 'neutral',
  refunded: 'info',
}

const statuses = [
  { value: '', label: 'To be refunded' },
  { value: 'refunded', label: 'Paid back' },
  { value: 'all', label: 'Both' },
]

/** Which refunds are shown, and in which order. */
const RefundFilters = ({ list }: { list: ListAddress<RefundSort> }) => (
  <div className="flex flex-wrap items-end gap-3">
    <SearchField
      list={list}
      name="text"
      label="Search student, menu item or order"
      className="min-w-0 grow basis-64"
    />
    <FilterSelect list={list} name="status" label="Show" className="w-44" options={statuses} />
    <SortSelect choices={orders} className="w-64" {...list.sorted} />
  </div>
)

const longestDue: Sorting<RefundSort> = { sort: 'due', direction: 'asc' }

const orders = [
  ...bothWays<RefundSort>('due', 'Due since', 'age'),
  ...bothWays<RefundSort>('date', 'Date', 'age'),
  ...bothWays<RefundSort>('student', 'Student', 'text'),
  ...bothWays<RefundSort>('item', 'Menu Item', 'text'),
  ...bothWays<RefundSort>('amount', 'Amount', 'number'),
  ...bothWays<RefundSort>('status', 'Status', 'text'),
]
