import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { cycleHistory } from '#contracts/cycles'
import type { ReplyOf } from '#contracts/endpoint'
import { counted } from '../../lib/format'
import { addressWith, addressWithSorting } from '../../lib/list-address'
import { addressWithPage } from '../../lib/page-in-address'
import { BeyondLastPage } from '../../ui/beyond-last-page'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { EmptyState } from '../../ui/empty-state'
import { Pager } from '../../ui/pager'
import { QueryFaces } from '../../ui/query-faces'
import { historyQuery } from './api'
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
  const [address, setAddress] = useSearchParams()
  const asked = historyInAddress(address)
  const history = useQuery(historyQuery(asked))
  const show = (next: URLSearchParams) => setAddress(next, { replace: true })
  const onPage = (page: number) => show(addressWithPage(address, page))
  return (
    <Card>
      <CardHeading title="Order Cycle History" />
      <CardBody className="flex flex-col gap-4">
        <HistoryFilters
          asked={asked}
          years={years}
          onFilter={(key, value) => show(addressWith(address, { [key]: value || null }))}
          onSort={(sorting) => show(addressWithSorting(address, sorting, newestFirst))}
        />
        <QueryFaces<HistoryReply>
          query={history}
          failure="Failed to fetch history"
          isEmpty={({ metadata }) => metadata.total === 0}
          empty={<NoCycles filtered={asked.year !== null || asked.cycleLength !== null} />}
        >
          {({ data, metadata }) =>
            data.length === 0 ? (
              <BeyondLastPage lastPage={metadata.totalPages} onPage={onPage} />
            ) : (
              <>
                <CycleList key={JSON.stringify(asked)} cycles={data} mayReactivate={mayReactivate} />
                <p aria-live="polite" className="text-sm text-muted">
                  {counted(metadata.total, 'cycle')}
                </p>
                <Pager
                  page={asked.page}
                  totalPages={metadata.totalPages}
                  busy={history.isPlaceholderData}
                  onPage={onPage}
                />
              </>
            )
          }
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
