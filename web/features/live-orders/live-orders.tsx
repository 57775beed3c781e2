import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { liveOrders } from '#contracts/payments-console'
import type { ReplyOf } from '#contracts/endpoint'
import { addressWithPage, pageFromAddress } from '../../lib/page-in-address'
import { Card, CardBody } from '../../ui/card'
import { EmptyState } from '../../ui/empty-state'
import { Pager } from '../../ui/pager'
import { QueryFaces } from '../../ui/query-faces'
import { liveOrdersQuery } from './api'
import { FilterPanel } from './filter-panel'
import { Freshness } from './freshness'
import { addressWithFilters, filtersFromAddress } from './live-filters'
import { LiveTable } from './live-table'
import type { OnHistory } from './live-words'

/** Every payment attempt, newest first, read again by itself; filters and page are in the address. */
export const LiveOrders = ({ onHistory }: { onHistory: OnHistory }) => {
  const [search, setSearch] = useSearchParams()
  const filters = filtersFromAddress(search)
  const page = pageFromAddress(search)
  const orders = useQuery(liveOrdersQuery(page, filters))
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
          onApply={(next) => setSearch(addressWithFilters(search, next), { replace: true })}
        />
        <QueryFaces<ReplyOf<typeof liveOrders>>
          query={orders}
          failure="Failed to fetch orders"
          isEmpty={({ data }) => data.length === 0 && page === 1}
          empty={<NoLiveOrders filtered={Object.keys(filters).length > 0} />}
        >
          {({ data, pagination }) => (
            <>
              <Freshness orders={orders} total={pagination.totalOrders} />
              <LiveTable orders={data} open={open} onToggle={toggle} onHistory={onHistory} />
              <Pager
                page={page}
                totalPages={Math.max(pagination.totalPages, page)}
                busy={orders.isPlaceholderData}
                onPage={(next) => setSearch(addressWithPage(search, next), { replace: true })}
              />
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
      ? 'No payment attempt matches these filters.'
      : 'Payment attempts appear here as soon as a family goes to pay.'}
  </EmptyState>
)
