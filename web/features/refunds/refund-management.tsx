import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { ReplyOf } from '#contracts/endpoint'
import type { listRefunds, Refund } from '#contracts/refunds'
import { kwacha } from '../../lib/format'
import { addressWithPage, pageFromAddress } from '../../lib/page-in-address'
import { Card, CardBody } from '../../ui/card'
import { EmptyState } from '../../ui/empty-state'
import { Pager } from '../../ui/pager'
import { QueryFaces } from '../../ui/query-faces'
import { StackedTable } from '../../ui/stacked-table'
import { refundsQuery } from './api'
import { RefundDialog } from './refund-dialog'
import { RefundRow } from './refund-row'

type RefundManagementProps = { onHistory: (asked: { refundId: string; title: string }) => void }

/** What is owed back to families, a page at a time; the page is in the address. */
export const RefundManagement = ({ onHistory }: RefundManagementProps) => {
  const [search, setSearch] = useSearchParams()
  const page = pageFromAddress(search)
  const refunds = useQuery(refundsQuery(page))
  return (
    <Card>
      <CardBody>
        <QueryFaces<ReplyOf<typeof listRefunds>>
          query={refunds}
          failure="Failed to fetch refunds"
          isEmpty={({ data }) => data.length === 0 && page === 1}
          empty={
            <EmptyState title="No orders pending refund" icon="refund">
              Paid orders that are cancelled appear here until their money is back with the family.
            </EmptyState>
          }
        >
          {({ data, metadata }) => (
            <>
              <RefundList refunds={data} onHistory={onHistory} />
              <Pager
                page={page}
                totalPages={Math.max(metadata.totalPages, page)}
                busy={refunds.isPlaceholderData}
                onPage={(next) => setSearch(addressWithPage(search, next), { replace: true })}
              />
            </>
          )}
        </QueryFaces>
      </CardBody>
    </Card>
  )
}

const columns = [
  { label: 'Date' },
  { label: 'Student' },
  { label: 'Menu Item' },
  { label: 'Amount', className: 'text-right' },
  { label: 'Status' },
  { label: 'History', hideLabel: true },
  { label: 'Actions', hideLabel: true },
]

const RefundList = ({ refunds, onHistory }: RefundManagementProps & { refunds: Refund[] }) => {
  const [completing, setCompleting] = useState<Refund | null>(null)
  return (
    <>
      <StackedTable label="Refunds" columns={columns}>
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
