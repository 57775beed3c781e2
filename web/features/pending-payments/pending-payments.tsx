import { useQuery } from '@tanstack/react-query'
import type { ReplyOf } from '#contracts/endpoint'
import { type pendingPayments, pendingSorts } from '#contracts/pending-payments'
import { counted } from '../../lib/format'
import { useListAddress } from '../../lib/list-address'
import { Card, CardBody } from '../../ui/card'
import { EmptyState } from '../../ui/empty-state'
import { Paged } from '../../ui/paged'
import { QueryFaces } from '../../ui/query-faces'
import { pendingQuery } from './api'
import { longestWaiting, PendingFilters } from './pending-filters'
import { PendingList } from './pending-list'

/** Alternative payments that nobody has verified, by parent; search, order and page are in the address. */
export const PendingPayments = () => {
  const list = useListAddress(pendingSorts, longestWaiting)
  const text = list.address.get('text')?.trim().slice(0, 100) ?? ''
  const asked = text ? { ...list.asked, text } : list.asked
  const pending = useQuery(pendingQuery(asked))
  return (
    <Card>
      <CardBody className="flex flex-col gap-3">
        <PendingFilters text={text} list={list} />
        <QueryFaces<ReplyOf<typeof pendingPayments>>
          query={pending}
          failure="Failed to fetch pending payments"
          isEmpty={({ pagination }) => pagination.totalGroups === 0}
          empty={<NothingPending searched={text !== ''} />}
        >
          {({ data, pagination }) => (
            <>
              <p aria-live="polite" className="money text-sm text-muted">
                {counted(pagination.totalGroups, 'parent')}
              </p>
              <Paged
                page={list.page}
                totalPages={pagination.totalPages}
                busy={pending.isPlaceholderData}
                onPage={list.onPage}
              >
                {data.length === 0 ? null : <PendingList key={JSON.stringify(asked)} groups={data} />}
              </Paged>
            </>
          )}
        </QueryFaces>
      </CardBody>
    </Card>
  )
}

const NothingPending = ({ searched }: { searched: boolean }) =>
  searched ? (
    <EmptyState title="No results found" icon="wallet">
      No pending payment matches. Search for less.
    </EmptyState>
  ) : (
    <EmptyState title="No Pending Payments" icon="wallet">
      All payments have been verified
    </EmptyState>
  )
