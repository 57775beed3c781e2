import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReplyOf } from '#contracts/endpoint'
import { type liveOrders, liveSorts } from '#contracts/payments-console'
import { useListAddress } from '../../lib/list-address'
import { Card, CardBody } from '../../ui/card'
import { EmptyState } from '../../ui/empty-state'
import { Paged } from '../../ui/paged'
import { QueryFaces } from '../../ui/query-faces'
import { liveOrdersQuery } from './api'
import { FilterPanel } from './filter-panel'
import { Freshness } from './freshness'
import { filtersFromAddress, newestFirst, parametersOf } from './live-filters'
import { LiveTable } from './live-table'
import type { OnHistory } from './live-words'

/** Every payment attempt, read again by itself; filters, order and page are in the address. */
export const LiveOrders = ({ onHistory }: { onHistory: OnHistory }) => {
  const list = useListAddress(liveSorts, newestFirst)
  const filters = filtersFromAddress(list.address)
  const orders = useQuery(liveOrdersQuery({ ...list.asked, ...filters }))
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
        <QueryFaces<ReplyOf<typeof liveOrders>>
          query={orders}
          failure="Failed to fetch orders"
          isEmpty={({ pagination }) => pagination.totalOrders === 0}
          empty={<NoLiveOrders filtered={Object.keys(filters).length > 0} />}
        >
          {({ data, pagination }) => (
            <>
              <Freshness orders={orders} total={pagination.totalOrders} />
              <Paged
                page={list.page}
                totalPages={pagination.totalPages}
                busy={orders.isPlaceholderData}
                onPage={list.onPage}
              >
                {data.length === 0 ? null : (
                  <LiveTable
                    orders={data}
                    sorted={list.sorted}
                    open={open}
                    onToggle={toggle}
                    onHistory={onHistory}
                  />
                )}
              </Paged>
            </>
          )}
        </QueryFaces>
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
