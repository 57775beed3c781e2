import { useQuery, useMutation } from '@tanstack/react-query'
import { useState, useId } from 'react'
import { cycleLengths, cycleHistory, cycleSorts, type CycleSort } from '#contracts/cycles'
import type { ReplyOf } from '#contracts/endpoint'
import { counted, dateRange, kwacha, longDay, wholeNumber } from '../../lib/format'
import { readFilters, useListAddress, type ListAddress, type Sorting } from '../../lib/list-address'
import { schoolDate, schoolNow } from '../../lib/school-moment'
import { notifyOutcome } from '../../lib/toast'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { FilterSelect, SortSelect, bothOrders } from '../../ui/filters'
import { Icon } from '../../ui/icon'
import { PagedList } from '../../ui/paged-list'
import { EmptyState } from '../../ui/query-result'
import { historyQuery, resumeCycle } from './api'
import { Facts, startedToast } from './cycle-text'
import { CycleDays } from './days/cycle-days'

type CycleHistoryProps = {
  mayReactivate: boolean
  years: readonly number[]
}

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
  year: number | undefined
  years: readonly number[]
}

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

/** Includes the address's year. */
const withAsked = (years: readonly number[], year: number | undefined) =>
  year === undefined || years.includes(year) ? years : [year, ...years]

type PastCycle = ReplyOf<typeof cycleHistory>['data'][number]

type CycleRowProps = {
  cycle: PastCycle
  open: boolean
  onToggle: () => void
  mayReactivate: boolean
}

/** Expands to dates and totals. */
const CycleRow = ({ cycle, open, onToggle, mayReactivate }: CycleRowProps) => {
  const id = useId()
  return (
    <li>
      <h3>
        <button
          type="button"
          aria-expanded={open}
          aria-controls={open ? id : undefined}
          onClick={onToggle}
          className="flex min-h-14 w-full items-center gap-3 px-3 py-2 text-left hover:bg-sand-50 sm:px-4"
        >
          <Icon name={open ? 'chevron-up' : 'chevron-down'} className="text-muted" />
          <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-0.5">
            <span className="font-semibold">{dateRange(cycle.startDate, cycle.endDate)}</span>
            <span className="flex flex-1 items-center justify-between gap-3 text-sm text-muted">
              {counted(cycle.cycleLength, 'week')}
              {cycle.isActive ? <Badge tone="brand">Active</Badge> : <Badge>Inactive</Badge>}
            </span>
          </span>
        </button>
      </h3>
      {open ? (
        <div id={id} className="flex flex-col items-start gap-4 bg-sand-50 px-4 py-4 sm:pl-12">
          <Facts
            facts={[
              ['Start', longDay(cycle.startDate)],
              ['End', longDay(cycle.endDate)],
              ['Total orders', wholeNumber(cycle.totalOrders)],
              ['Total revenue', kwacha(cycle.totalRevenue)],
            ]}
          />
          {!cycle.isActive && cycle.endDate >= schoolDate(schoolNow()) ? (
            <CycleDays cycleId={cycle.cycleId} weeks={cycle.cycleLength} />
          ) : null}
          {mayReactivate && !cycle.isActive ? <Reactivate id={cycle.cycleId} /> : null}
        </div>
      ) : null}
    </li>
  )
}

const Reactivate = ({ id }: { id: number }) => {
  const resume = useMutation(resumeCycle)
  return (
    <Button
      size="sm"
      icon="undo"
      busy={resume.isPending}
      onClick={() =>
        void notifyOutcome(resume.mutateAsync({ params: { id } }), {
          done: ({ overlap }) => startedToast('Cycle reactivated', overlap),
          failed: 'Failed to reactivate cycle',
        })
      }
    >
      Reactivate This Cycle
    </Button>
  )
}
