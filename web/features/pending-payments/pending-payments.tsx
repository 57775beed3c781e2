import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router-dom'
import type { ReplyOf } from '#contracts/endpoint'
import type { pendingPayments } from '#contracts/payments-console'
import { addressWithPage, pageFromAddress } from '../../lib/page-in-address'
import { Card, CardBody } from '../../ui/card'
import { EmptyState } from '../../ui/empty-state'
import { Pager } from '../../ui/pager'
import { QueryFaces } from '../../ui/query-faces'
import { pendingQuery } from './api'
import { PendingList } from './pending-list'

/** Alternative payments that nobody has verified, by parent, a page at a time; the page is in the address. */
export const PendingPayments = () => {
  const [search, setSearch] = useSearchParams()
  const page = pageFromAddress(search)
  const pending = useQuery(pendingQuery(page))
  return (
    <Card>
      <CardBody className="flex flex-col gap-3">
        <QueryFaces<ReplyOf<typeof pendingPayments>>
          query={pending}
          failure="Failed to fetch pending payments"
          isEmpty={({ data }) => data.length === 0 && page === 1}
          empty={
            <EmptyState title="No Pending Payments" icon="wallet">
              All payments have been verified
            </EmptyState>
          }
        >
          {({ data, pagination }) => (
            <>
              <PendingList key={pagination.page} groups={data} />
              <Pager
                page={page}
                totalPages={Math.max(pagination.totalPages, page)}
                busy={pending.isPlaceholderData}
                onPage={(next) => setSearch(addressWithPage(search, next), { replace: true })}
              />
            </>
          )}
        </QueryFaces>
      </CardBody>
    </Card>
  )
}
