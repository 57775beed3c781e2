import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { liveSorts } from '#contracts/payments-console'
import { useListAddress } from '../../lib/list-address'
import { Card, CardBody } from '../../ui/card'
import { EmptyState } from '../../ui/empty-state'
import { PagedList } from '../../ui/paged-list'
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
        <PagedList
          query={orders}
          list={list}
          pages={({ pagination: { totalOrders, totalPages } }) => ({ total: totalOrders, totalPages })}
          failure="Failed to fetch orders"
          empty={<NoLiveOrders filtered={Object.keys(filters).length > 0} />}
          renderHead={(total) => <Freshness orders={orders} total={total} />}
        >
          {({ data }) => (
            <LiveTable
              orders={data}
              sorted={list.sorted}
              open={open}
              onToggle={toggle}
              onHistory={onHistory}
            />
          )}
        </PagedList>
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
