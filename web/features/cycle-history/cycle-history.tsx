import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router-dom'
import { counted } from '../../lib/format'
import { addressWithPage, pageFromAddress } from '../../lib/page-in-address'
import { Card, CardBody } from '../../ui/card'
import { ordersQuery } from './api'
import { ExportBar } from './export-bar'
import { FilterPanel } from './filter-panel'
import { addressWithFilter, addressWithoutFilters, filtersFromAddress } from './history-filters'
import { OrderList } from './order-list'
import type { OnHistory } from './order-words'

/** Every order of every cycle; filters and page are in the address. A change of filters forgets the selection. */
export const CycleHistory = ({ onHistory }: { onHistory: OnHistory }) => {
  const [search, setSearch] = useSearchParams()
  const filters = filtersFromAddress(search)
  const page = pageFromAddress(search)
  const orders = useQuery(ordersQuery(page, filters))
  const show = (next: URLSearchParams) => setSearch(next, { replace: true })
  return (
    <Card>
      <CardBody className="flex flex-col gap-4">
        <FilterPanel
          filters={filters}
          onFilter={(key, value) => show(addressWithFilter(search, key, value))}
          onClear={() => show(addressWithoutFilters(search))}
        />
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p aria-live="polite" className="money px-2 text-sm text-muted">
            {orders.data ? counted(orders.data.metadata.total, 'order') : null}
          </p>
          <ExportBar filters={filters} />
        </div>
        <OrderList
          orders={orders}
          filters={filters}
          page={page}
          onPage={(next) => show(addressWithPage(search, next))}
          onHistory={onHistory}
        />
      </CardBody>
    </Card>
  )
}
