import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Refund, type RefundSort, refundSorts } from '#contracts/refunds'
import { counted, kwacha } from '../../lib/format'
import { useListAddress } from '../../lib/list-address'
import { Card, CardBody } from '../../ui/card'
import { EmptyState } from '../../ui/empty-state'
import { PagedList } from '../../ui/paged-list'
import type { SortProps } from '../../ui/sort-head'
import { type StackedColumn, StackedTable } from '../../ui/stacked-table'
import { refundsQuery } from './api'
import { RefundDialog } from './refund-dialog'
import { filtersInAddress, longestDue, RefundFilters } from './refund-filters'
import { RefundRow } from './refund-row'

type RefundManagementProps = { onHistory: (asked: { refundId: string; title: string }) => void }

/** What is owed back to families, and on request what was; filters, order and page are in the address. */
export const RefundManagement = ({ onHistory }: RefundManagementProps) => {
  const list = useListAddress(refundSorts, longestDue)
  const filters = filtersInAddress(list.address)
  const refunds = useQuery(refundsQuery({ ...list.asked, ...filters }))
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
          renderHead={(total) => (
            <p aria-live="polite" className="money text-sm text-muted">
              {counted(total, 'refund')}
            </p>
          )}
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
