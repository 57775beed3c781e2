import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import type { Waiting } from '#contracts/find'
import type { FeatureName } from '#contracts/identity'
import { messageOf } from '../../lib/call'
import { kwacha, wholeNumber } from '../../lib/format'
import { paths } from '../../lib/paths'
import { schoolClock, schoolNow } from '../../lib/school-moment'
import { todayQuery } from '../../queries/today'
import { Card, CardBody } from '../../ui/card'
import { Icon } from '../../ui/icon'
import { EmptyState, QueryResult, Skeleton } from '../../ui/query-result'
import { FigureCharts, Figures, figuresQuery, hasFigures } from './figures'
import { waitingText } from './waiting-text'

/** The day in figures, and what needs a person now, the most urgent first; each leads to where it is done. */
export const Today = ({ held }: { held: readonly FeatureName[] }) => {
  const figures = useQuery(figuresQuery)
  const hasCharts = figures.data !== undefined && Boolean(figures.data.received ?? figures.data.lunches)
  return (
    <div className="flex flex-col gap-5">
      <QueryResult
        query={figures}
        failure="Failed to load the figures of today"
        isEmpty={(data) => !hasFigures(data)}
        empty={null}
        waiting={<Skeleton className="h-84 xl:h-44" />}
      >
        {(data) => <Figures {...data} />}
      </QueryResult>
      <div className={hasCharts ? 'grid items-start gap-5 xl:grid-cols-2' : undefined}>
        <WhatWaits held={held} />
        {hasCharts ? (
          <div className="flex min-w-0 flex-col gap-5">
            <FigureCharts {...figures.data} />
          </div>
        ) : null}
      </div>
    </div>
  )
}

const WhatWaits = ({ held }: { held: readonly FeatureName[] }) => {
  const waiting = useQuery(todayQuery)
  return (
    <Card>
      <CardBody className="flex flex-col gap-4">
        <QueryResult query={waiting} failure="Failed to load what waits">
          {({ data }) => (
            <>
              <Freshness {...waiting} />
              <WaitingList waiting={data.filter(({ what }) => isShown(what, held))} held={held} />
            </>
          )}
        </QueryResult>
      </CardBody>
    </Card>
  )
}

/** Pending Payments has the same money by family. */
const isShown = (what: Waiting['what'], held: readonly FeatureName[]): boolean =>
  what !== 'unpaid_payments' || !held.includes('pending_payments')

const Freshness = ({ dataUpdatedAt, error }: { dataUpdatedAt: number; error: Error | null }) => {
  const at = schoolClock(schoolNow(dataUpdatedAt))
  return error ? (
    <p role="alert" className="text-sm font-semibold text-danger-700">
      {`Not refreshed since ${at}. ${messageOf(error, 'Failed to load what waits')}`}
    </p>
  ) : (
    <p className="money text-sm whitespace-normal text-muted">{`Refreshed each minute · last at ${at}`}</p>
  )
}

type WaitingListProps = { waiting: readonly Waiting[]; held: readonly FeatureName[] }

const WaitingList = ({ waiting, held }: WaitingListProps) =>
  waiting.length === 0 ? (
    <EmptyState title="Nothing waits" icon="check">
      Payments, refunds and requests that need somebody appear here.
    </EmptyState>
  ) : (
    <ul aria-label="What waits" className="-mx-2 flex flex-col divide-y divide-line">
      {waiting.map((one) => (
        <li key={one.what}>
          <WaitingRow waiting={one} held={held} />
        </li>
      ))}
    </ul>
  )

const WaitingRow = ({ waiting, held }: { waiting: Waiting; held: readonly FeatureName[] }) => {
  const { title, hint, to } = waitingText(waiting, held)
  const words = (
    <>
      <span className="min-w-0 flex-1">
        <span className="block font-semibold">
          <span className="money font-display text-xl text-brand-700">{wholeNumber(waiting.count)}</span>{' '}
          {title}
          {waiting.amount === null ? null : (
            <>
              : <span className="money">{kwacha(waiting.amount)}</span>
            </>
          )}
        </span>
        <span className="block text-sm text-muted">{hint}</span>
        {waiting.families ? <Families families={waiting.families} /> : null}
      </span>
      {to === null ? null : <Icon name="chevron-right" className="text-muted" />}
    </>
  )
  const row = 'flex min-h-14 items-center gap-3 rounded-md px-2 py-2'
  return to === null ? (
    <div className={row}>{words}</div>
  ) : (
    <Link to={to} className={`${row} hover:bg-sand-50`}>
      {words}
    </Link>
  )
}

const Families = ({ families }: { families: NonNullable<Waiting['families']> }) => (
  <span className="mt-1 flex flex-wrap gap-x-4">
    {families.map(({ id, name }) => (
      <Link
        key={id}
        to={paths.family(id)}
        className="inline-flex min-h-11 items-center font-semibold text-brand-700 underline"
      >
        {name}
      </Link>
    ))}
  </span>
)
