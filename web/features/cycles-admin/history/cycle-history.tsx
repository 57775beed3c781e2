import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { cycleHistory, cycleSorts } from '#contracts/cycles'
import type { ReplyOf } from '#contracts/endpoint'
import { counted } from '../../../lib/format'
import { readFilters, useListAddress } from '../../../lib/list-address'
import { Card, CardBody, CardHeading } from '../../../ui/card'
import { EmptyState } from '../../../ui/empty-state'
import { PagedList } from '../../../ui/paged-list'
import { historyQuery } from '../api'
import { CycleRow } from './cycle-row'
import { HistoryFilters, newestFirst } from './history-filters'

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
