import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type cycleHistory, cycleSorts } from '#contracts/cycles'
import type { ReplyOf } from '#contracts/endpoint'
import { counted } from '../../../lib/format'
import { useListAddress } from '../../../lib/list-address'
import { Card, CardBody, CardHeading } from '../../../ui/card'
import { EmptyState } from '../../../ui/empty-state'
import { Paged } from '../../../ui/paged'
import { QueryFaces } from '../../../ui/query-faces'
import { historyQuery } from '../api'
import { CycleRow } from './cycle-row'
import { historyInAddress, newestFirst } from './history-address'
import { HistoryFilters } from './history-filters'

type HistoryReply = ReplyOf<typeof cycleHistory>

type CycleHistoryProps = {
  mayReactivate: boolean
  /** The years in which cycles began, the latest first. */
  years: readonly number[]
}

/** Every cycle there was, filtered, sorted and paged as the address says. */
export const CycleHistory = ({ mayReactivate, years }: CycleHistoryProps) => {
  const { address, sorted, onPage, onFilter } = useListAddress(cycleSorts, newestFirst)
  const asked = historyInAddress(address)
  const history = useQuery(historyQuery(asked))
  return (
    <Card>
      <CardHeading title="Order Cycle History" />
      <CardBody className="flex flex-col gap-4">
        <HistoryFilters
          asked={asked}
          years={years}
          onFilter={(key, value) => onFilter({ [key]: value || null })}
          onSort={sorted.onSort}
        />
        <QueryFaces<HistoryReply>
          query={history}
          failure="Failed to fetch history"
          isEmpty={({ metadata }) => metadata.total === 0}
          empty={<NoCycles filtered={asked.year !== null || asked.cycleLength !== null} />}
        >
          {({ data, metadata }) => (
            <Paged
              page={asked.page}
              totalPages={metadata.totalPages}
              busy={history.isPlaceholderData}
              onPage={onPage}
            >
              {data.length === 0 ? null : (
                <>
                  <CycleList key={JSON.stringify(asked)} cycles={data} mayReactivate={mayReactivate} />
                  <p aria-live="polite" className="text-sm text-muted">
                    {counted(metadata.total, 'cycle')}
                  </p>
                </>
              )}
            </Paged>
          )}
        </QueryFaces>
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

type CycleListProps = { cycles: HistoryReply['data']; mayReactivate: boolean }

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
