import { useQuery } from '@tanstack/react-query'
import { pendingPayments, type PendingSort, pendingSorts } from '#contracts/pending-payments'
import { counted } from '../../lib/format'
import { readFilters, type Sorting, useListAddress } from '../../lib/list-address'
import { Card, CardBody } from '../../ui/card'
import { EmptyState } from '../../ui/empty-state'
import { bothWays, SearchField, SortSelect } from '../../ui/list-filters'
import { PagedList, ListCount } from '../../ui/paged-list'
import { pendingQuery } from './api'
import { PendingList } from './pending-list'
import { total } from './selection'
import { useVerifiedToday, VerifiedToday } from './verified-today'

const longestWaiting: Sorting<PendingSort> = { sort: 'waiting', direction: 'asc' }

const orders = [
  ...bothWays<PendingSort>('waiting', 'Waiting', 'age'),
  ...bothWays<PendingSort>('parent', 'Parent', 'text'),
  ...bothWays<PendingSort>('amount', 'Amount', 'number'),
  ...bothWays<PendingSort>('orders', 'Orders', 'number'),
]

/** Alternative payments that nobody has verified, by parent; search, order and page are in the address. */
export const PendingPayments = () => {
  const list = useListAddress(pendingSorts, longestWaiting)
  const filters = readFilters(list.address, pendingPayments.query, ['text'])
  const query = { ...list.query, ...filters }
  const pending = useQuery(pendingQuery(query))
  const today = useVerifiedToday()
  return (
    <Card>
      <CardBody className="flex flex-col gap-3">
        <div className="flex flex-wrap items-end gap-3">
          <SearchField
            list={list}
            name="text"
            label="Search parent, student, meal or reference"
            className="min-w-0 grow basis-64"
          />
          <SortSelect choices={orders} className="w-full sm:w-56" {...list.sorted} />
        </div>
        <VerifiedToday verified={today.verified} onUndone={today.remove} />
        <PagedList
          query={pending}
          list={list}
          pages={({ pagination: { totalGroups, totalPages } }) => ({ total: totalGroups, totalPages })}
          failure="Failed to fetch pending payments"
          empty={<NothingPending searched={filters.text !== undefined} />}
          renderHead={(total) => <ListCount>{counted(total, 'parent')}</ListCount>}
        >
          {({ data }) => (
            <PendingList
              key={JSON.stringify(query)}
              groups={data}
              onVerified={(orders) =>
                today.add({ orderIds: orders.map(({ id }) => id), amount: total(orders) })
              }
            />
          )}
        </PagedList>
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
