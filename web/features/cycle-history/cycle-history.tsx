import { useSearchParams } from 'react-router-dom'
import { addressWithPage, pageFromAddress } from '../../lib/page-in-address'
import { Card, CardBody } from '../../ui/card'
import { ExportBar } from './export-bar'
import { FilterPanel } from './filter-panel'
import { addressWithFilter, addressWithoutFilters, filtersFromAddress } from './history-filters'
import { OrderList } from './order-list'
import type { OnHistory } from './order-words'

/** Every order of every cycle; filters and page are in the address. A change of filters forgets the selection. */
export const CycleHistory = ({ onHistory }: { onHistory: OnHistory }) => {
  const [search, setSearch] = useSearchParams()
  const filters = filtersFromAddress(search)
  const show = (next: URLSearchParams) => setSearch(next, { replace: true })
  return (
    <Card>
      <CardBody className="flex flex-col gap-4">
        <FilterPanel
          filters={filters}
          onFilter={(key, value) => show(addressWithFilter(search, key, value))}
          onClear={() => show(addressWithoutFilters(search))}
        />
        <div className="flex flex-wrap justify-end gap-3 max-sm:[&>button]:w-full">
          <ExportBar filters={filters} />
        </div>
        <OrderList
          key={JSON.stringify(filters)}
          filters={filters}
          page={pageFromAddress(search)}
          onPage={(page) => show(addressWithPage(search, page))}
          onHistory={onHistory}
        />
      </CardBody>
    </Card>
  )
}
