import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { cycleLengths } from '#contracts/cycles'
import { cycleHistory, cycleSorts, type CycleSort } from '#contracts/cycle-history'
import type { ReplyOf } from '#contracts/endpoint'
import { counted } from '../../../lib/format'
import { readFilters, useListAddress, type ListAddress, type Sorting } from '../../../lib/list-address'
import { Card, CardBody, CardHeading } from '../../../ui/card'
import { EmptyState } from '../../../ui/empty-state'
import { PagedList } from '../../../ui/paged-list'
import { historyQuery } from '../api'
import { CycleRow } from './cycle-row'
import { FilterSelect, SortSelect, bothOrders } from '../../../ui/list-filters'

type CycleHistoryProps = {
  mayReactivate: boolean
  /** The years in which cycles began, the latest first. */
  years: readonly number[]
}

/** Every cycle there was, filtered, sorted and paged as the address says. */
export const CycleHistory = ({ mayReactivate, years }: CycleHistoryProps) => {
  const list = useListAddress(cycleSorts, newestFirst)
  const filters = readFilters(list.address, cycleHistory.query, ['year', 'cycleLength'])
  const history = useQuery(historyQuery({ ...list.query, ...filters }))
  return (
    <Card>
      <CardHeading title="Order Cycle History" />
      <CardBody className="flex flex-col gap-4">
        <HistoryFilters list={list} year={filters.year} years={years} />
        <PagedList
          query={history}
          list={list}
          pages={({ metadata }) => metadata}
          failure="Failed to fetch history"
          empty={<NoCycles filtered={Object.keys(filters).length > 0} />}
        >
          {({ data }, total) => (
            <>
              <CycleList
                key={JSON.stringify({ ...list.query, ...filters })}
                cycles={data}
                mayReactivate={mayReactivate}
              />
              <p aria-live="polite" className="text-sm text-muted">
                {counted(total, 'cycle')}
              </p>
            </>
          )}
        </PagedList>
      </CardBody>
    </Card>
  )
}

const NoCycles = ({ filtered }: { filtered: boolean }) => (
  <EmptyState title="No results found" icon="history">
    {filtered
      ? 'No cycle of this length began in this year. Choose all years and lengths to see every one.'
      : 'Order cycles are listed here once there has been one.'}
  </EmptyState>
)

type CycleListProps = { cycles: ReplyOf<typeof cycleHistory>['data']; mayReactivate: boolean }

const CycleList = ({ cycles, mayReactivate }: CycleListProps) => {
  const [open, setOpen] = useState<number | null>(null)
  return (
    <ul className="flex flex-col divide-y divide-line rounded-md border border-line">
      {cycles.map((cycle) => (
        <CycleRow
          key={cycle.cycleId}
          cycle={cycle}
          open={open === cycle.cycleId}
          onToggle={() => setOpen(open === cycle.cycleId ? null : cycle.cycleId)}
          mayReactivate={mayReactivate}
        />
      ))}
    </ul>
  )
}

const newestFirst: Sorting<CycleSort> = { sort: 'created', direction: 'desc' }

const orders = [
  ...bothOrders<CycleSort>('created', { desc: 'Newest first', asc: 'Oldest first' }),
  ...bothOrders<CycleSort>('start', { desc: 'Latest start first', asc: 'Earliest start first' }),
  ...bothOrders<CycleSort>('length', { desc: 'Longest first', asc: 'Shortest first' }),
  ...bothOrders<CycleSort>('orders', { desc: 'Most orders first', asc: 'Fewest orders first' }),
  ...bothOrders<CycleSort>('revenue', { desc: 'Highest revenue first', asc: 'Lowest revenue first' }),
]

const lengths = [
  { value: '', label: 'All Lengths' },
  ...cycleLengths.map((weeks) => ({ value: String(weeks), label: `${weeks} weeks` })),
]

type HistoryFiltersProps = {
  list: ListAddress<CycleSort>
  /** The one that the address asks for. */
  year: number | undefined
  /** The years in which cycles began, the latest first. */
  years: readonly number[]
}

/** Which cycles are shown, and in which order. */
const HistoryFilters = ({ list, year, years }: HistoryFiltersProps) => (
  <div className="flex flex-wrap items-end gap-3">
    <FilterSelect
      list={list}
      name="year"
      label="Year"
      className="w-36"
      options={[
        { value: '', label: 'All Years' },
        ...withAsked(years, year).map((one) => ({
          value: String(one),
          label: String(one),
        })),
      ]}
    />
    <FilterSelect list={list} name="cycleLength" label="Length" className="w-36" options={lengths} />
    <SortSelect choices={orders} className="w-full sm:w-56" {...list.sorted} />
  </div>
)

/** A year that the address names stands among the choices, whether a cycle began in it or not. */
const withAsked = (years: readonly number[], year: number | undefined) =>
  year === undefined || years.includes(year) ? years : [year, ...years]
