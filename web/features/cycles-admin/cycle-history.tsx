import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { cycleHistory } from '#contracts/cycles'
import type { ReplyOf } from '#contracts/endpoint'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { EmptyState } from '../../ui/empty-state'
import { Pager } from '../../ui/pager'
import { QueryFaces } from '../../ui/query-faces'
import { historyQuery } from './api'
import { CycleRow } from './cycle-row'

type HistoryReply = ReplyOf<typeof cycleHistory>

/** Every cycle there was, newest first, a page at a time; the page is in the address. */
export const CycleHistory = ({ mayReactivate }: { mayReactivate: boolean }) => {
  const [search, setSearch] = useSearchParams()
  const page = pageOf(search)
  const history = useQuery({ ...historyQuery(page), placeholderData: keepPreviousData })
  return (
    <Card>
      <CardHeading title="Order Cycle History" />
      <CardBody>
        <QueryFaces<HistoryReply>
          query={history}
          failure="Failed to fetch history"
          isEmpty={({ metadata }) => metadata.total === 0}
          empty={
            <EmptyState title="No results found" icon="history">
              Order cycles are listed here once there has been one.
            </EmptyState>
          }
        >
          {({ data, metadata }) => (
            <>
              <CycleList key={metadata.page} cycles={data} mayReactivate={mayReactivate} />
              <Pager
                page={page}
                totalPages={metadata.totalPages}
                onPage={(next) => setSearch(withPage(search, next), { replace: true })}
                busy={history.isPlaceholderData}
              />
            </>
          )}
        </QueryFaces>
      </CardBody>
    </Card>
  )
}

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

const pageOf = (search: URLSearchParams): number => {
  const page = Number(search.get('page'))
  return Number.isInteger(page) && page >= 1 ? page : 1
}

const withPage = (search: URLSearchParams, page: number): URLSearchParams => {
  const next = new URLSearchParams(search)
  if (page === 1) next.delete('page')
  else next.set('page', String(page))
  return next
}
