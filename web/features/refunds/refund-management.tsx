import { useQuery } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { listRefunds, type RefundSort, refundSorts } from '#contracts/refunds'
import { counted } from '../../lib/format'
import { readFilters, useListAddress, type ListAddress, type Sorting } from '../../lib/list-address'
import { Card, CardBody } from '../../ui/card'
import { bothWays, FilterSelect, SearchField, SortSelect } from '../../ui/filters'
import { PagedList, ListCount } from '../../ui/paged-list'
import { EmptyState } from '../../ui/query-result'
import { refundsQuery } from './refund-dialogs'
import { RefundList, type RefundManagementProps } from './refund-list'

/** Owed ones by default. */
const shown = z.extend(listRefunds.query, { status: z.enum(['refunded', 'all']) })

/** State is in the address. */
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
          {({ data }) => (
            <RefundList
              refunds={data}
              listed={JSON.stringify([filters, list.sorted.sorting])}
              sorted={list.sorted}
              onHistory={onHistory}
            />
          )}
        </PagedList>
      </CardBody>
    </Card>
  )
}

const NoRefunds = ({ filtered }: { filtered: boolean }) =>
  filtered ? (
    <EmptyState title="No results found" icon="refund">
      No refund matches. Try a shorter search, or show all.
    </EmptyState>
  ) : (
    <EmptyState title="No orders pending refund" icon="refund">
      Paid orders that are cancelled appear here until their money is back with the family.
    </EmptyState>
  )

const statuses = [
  { value: '', label: 'To be refunded' },
  { value: 'refunded', label: 'Paid back' },
  { value: 'all', label: 'Both' },
]

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
