import { useQuery } from '@tanstack/react-query'
import { cycleOrderSorts } from '#contracts/cycle-orders'
import { counted } from '../../lib/format'
import { useListAddress } from '../../lib/list-address'
import { Card, CardBody } from '../../ui/card'
import { ordersQuery } from './api'
import { ExportBar } from './export/export-bar'
import { FilterPanel, filtersFromAddress, newestFirst, noFilters } from './filter-panel'
import { OrderList } from './orders/order-list'
import type { OnHistory } from './order-words'

/** Every order of every cycle; filters, order and page are in the address. Another filter or order forgets the selection. */
export const CycleHistory = ({ onHistory }: { onHistory: OnHistory }) => {
  const list = useListAddress(cycleOrderSorts, newestFirst)
  const filters = filtersFromAddress(list.address)
  const orders = useQuery(ordersQuery({ ...list.query, ...filters }))
  return (
    <Card>
      <CardBody className="flex flex-col gap-4">
        <FilterPanel
          filters={filters}
          onFilter={(key, value) => list.onFilter({ [key]: value || null })}
          onClear={() => list.onFilter(noFilters)}
        />
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p aria-live="polite" className="money text-sm text-muted">
            {orders.data ? counted(orders.data.metadata.total, 'order') : null}
          </p>
          <ExportBar filters={filters} />
        </div>
        <OrderList orders={orders} filters={filters} list={list} onHistory={onHistory} />
      </CardBody>
    </Card>
  )
}
