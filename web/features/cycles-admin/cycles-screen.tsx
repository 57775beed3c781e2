import { useQuery, useMutation } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import type { listClosures } from '#contracts/closures'
import type { OrderCycle } from '#contracts/cycles'
import type { ReplyOf } from '#contracts/endpoint'
import { classes } from '../../lib/classes'
import { counted, longDay, kwacha } from '../../lib/format'
import { lazyComponent, usePreload } from '../../lib/lazy'
import { dateAndTime } from '../../lib/school-moment'
import { notifyOutcome } from '../../lib/toast'
import { cyclesQuery } from '../../queries/cycles'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { Card, CardBody, CardHeading } from '../../ui/card'
import { ConfirmDialog } from '../../ui/confirm-dialog'
import { Notice } from '../../ui/notice'
import { Pager } from '../../ui/paged-list'
import { EmptyState, type QueryState, QueryResult } from '../../ui/query-result'
import { endCycle, historyQuery, closuresQuery, isAtWork } from './api'
import { CycleHistory } from './cycle-history'
import { cycleDate, Facts, datesText, remedyText, whomText } from './cycle-text'
import { CycleDays } from './days/cycle-days'

const CycleWizard = lazyComponent(() => import('./wizard/cycle-wizard').then((m) => m.CycleWizard))

/** Order Cycles: the active one, a new one, and those that were. */
export const CyclesScreen = () => {
  const cycles = useQuery(cyclesQuery)
  const [creating, setCreating] = useState(false)
  usePreload(CycleWizard)
  const noneActive = cycles.data !== undefined && !cycles.data.some((cycle) => cycle.isActive)
  return (
    <div className="flex flex-col gap-5">
      <ActiveCycle cycles={cycles} onCreate={() => setCreating(true)} />
      {/* Waits for its place to be known. */}
      {cycles.data === undefined && cycles.error === null ? null : (
        <>
          <Closures />
          <CycleHistory mayReactivate={noneActive} years={yearsOf(cycles.data ?? [])} />
        </>
      )}
      <Suspense>{creating ? <CycleWizard onClose={() => setCreating(false)} /> : null}</Suspense>
    </div>
  )
}

const yearsOf = (cycles: readonly { startDate: string }[]): number[] =>
  [...new Set(cycles.map(({ startDate }) => Number(startDate.slice(0, 4))))].toSorted((a, b) => b - a)

type ActiveCycleProps = { cycles: QueryState<OrderCycle[]>; onCreate: () => void }

/** The cycle that takes orders now, or the way to start one. */
export const ActiveCycle = ({ cycles, onCreate }: ActiveCycleProps) => {
  const active = cycles.data?.find((cycle) => cycle.isActive)
  return (
    <Card>
      <CardHeading title="Active Order Cycle" actions={active ? <Deactivate cycle={active} /> : undefined} />
      <CardBody>
        <p className="mb-4 text-sm text-muted">
          New cycles must start on a Monday and run for 4 weeks or 6 weeks.
        </p>
        <QueryResult
          query={cycles}
          failure="Failed to fetch cycles"
          isEmpty={() => active === undefined}
          empty={<NoneActive onCreate={onCreate} />}
        >
          {() => (active ? <CycleFacts cycle={active} /> : null)}
        </QueryResult>
      </CardBody>
    </Card>
  )
}

const NoneActive = ({ onCreate }: { onCreate: () => void }) => (
  <EmptyState
    title="No active order cycle. Create a new cycle to start accepting orders."
    icon="calendar"
    action={
      <Button icon="plus" onClick={onCreate}>
        Create New Order Cycle
      </Button>
    }
  />
)

const CycleFacts = ({ cycle }: { cycle: OrderCycle }) => {
  const blocked = cycle.blockedDays
  return (
    <div className="flex flex-col gap-4">
      <Facts
        facts={[
          ['Length', `${cycle.cycleLength} weeks`],
          ['Start date', longDay(cycle.startDate)],
          ['End date', longDay(cycle.endDate)],
          ['Created', dateAndTime(cycle.createdAt)],
        ]}
      />
      <p className="flex flex-wrap gap-2">
        <Badge tone="brand" icon="check">
          Accepting orders
        </Badge>
      </p>
      {blocked.length > 0 ? (
        <Notice tone="warning" title={counted(blocked.length, 'blocked day')}>
          <p>{blocked.map(({ week, day }) => longDay(cycleDate(cycle.startDate, week, day))).join(' · ')}</p>
        </Notice>
      ) : null}
      <CycleDays cycleId={cycle.id} weeks={cycle.cycleLength} />
    </div>
  )
}

const Deactivate = ({ cycle }: { cycle: OrderCycle }) => {
  const [asking, setAsking] = useState(false)
  const end = useMutation(endCycle)
  const orders = useOrdersOf(cycle, asking)
  const deactivate = async () => {
    const words = { done: 'Order cycle deactivated', failed: 'Failed to deactivate order cycle' }
    await notifyOutcome(end.mutateAsync({ params: { id: cycle.id } }), words)
    setAsking(false)
  }
  return (
    <>
      {/* Narrow enough beside the title in the stand-in letters, too. */}
      <Button variant="secondary" size="sm" onClick={() => setAsking(true)}>
        Deactivate
      </Button>
      <ConfirmDialog
        open={asking}
        danger
        title="Deactivate this order cycle?"
        confirm="Deactivate"
        busy={end.isPending}
        onConfirm={() => void deactivate()}
        onClose={() => setAsking(false)}
      >
        Families can place no more orders until a cycle is active again.{' '}
        {orders === undefined
          ? 'Orders already placed stay and are cooked.'
          : `${counted(orders, 'order')} already placed ${orders === 1 ? 'stays and is' : 'stay and are'} cooked.`}{' '}
        You can reactivate this cycle from the history.
      </ConfirmDialog>
    </>
  )
}

const useOrdersOf = (cycle: OrderCycle, asked: boolean): number | undefined =>
  useQuery({ ...historyQuery({ page: 1 }), enabled: asked }).data?.data.find(
    ({ cycleId }) => cycleId === cycle.id,
  )?.totalOrders

const ClosureDialog = lazyComponent(() => import('./days/closure-view').then((m) => m.ClosureDialog))

type ListedClosure = ReplyOf<typeof listClosures>['data'][number]

const pageSize = 10

export const Closures = () => {
  const query = useQuery(closuresQuery)
  const [page, setPage] = useState(1)
  const [opened, setOpened] = useState<string | null>(null)
  usePreload(ClosureDialog)
  const shown = query.data?.data.find(({ id }) => id === opened)
  return (
    <Card>
      <CardHeading title="Closed Days" hint="Newest first" />
      <CardBody className="flex flex-col gap-4">
        <QueryResult
          query={query}
          failure="Failed to fetch closures"
          isEmpty={({ data }) => data.length === 0}
          empty={<EmptyState title="No closed days" icon="calendar" />}
        >
          {({ data }) => (
            <>
              <ul className="flex flex-col divide-y divide-line rounded-md border border-line">
                {data.slice((page - 1) * pageSize, page * pageSize).map((closure) => (
                  <ClosureRow key={closure.id} closure={closure} onOpen={() => setOpened(closure.id)} />
                ))}
              </ul>
              <Pager page={page} totalPages={Math.ceil(data.length / pageSize)} onPage={setPage} />
            </>
          )}
        </QueryResult>
      </CardBody>
      <Suspense>{shown ? <ClosureDialog closure={shown} onClose={() => setOpened(null)} /> : null}</Suspense>
    </Card>
  )
}

const ClosureRow = ({ closure, onOpen }: { closure: ListedClosure; onOpen: () => void }) => (
  <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-3 py-3 sm:px-4">
    <div className="min-w-0 flex-1 basis-60">
      <p className="flex flex-wrap items-center gap-2 font-semibold">
        {datesText(closure.dates)}
        <StateBadge closure={closure} />
      </p>
      {closure.undoneAt ? (
        <p className="text-sm">{`Undone by ${closure.undoneBy}, ${dateAndTime(closure.undoneAt)}`}</p>
      ) : null}
      {whomText(closure) ? <p className="text-sm font-semibold">{`For ${whomText(closure)}`}</p> : null}
      <p className={classes('break-words', closure.undoneAt && 'text-sm text-muted')}>{closure.reason}</p>
      <p className="text-sm text-muted">{`Closed by ${closure.closedBy}, ${dateAndTime(closure.closedAt)}`}</p>
      {closure.cancelled > 0 && !closure.undoneAt ? (
        <p className="text-sm text-muted">{didWords(closure)}</p>
      ) : null}
    </div>
    <Button
      size="sm"
      variant="secondary"
      aria-label={`Details of ${datesText(closure.dates)}: ${closure.reason}`}
      onClick={onOpen}
    >
      Details
    </Button>
  </li>
)

const StateBadge = ({ closure }: { closure: ListedClosure }) => {
  if (closure.undoneAt)
    return (
      <Badge tone="brand" icon="undo">
        Undone
      </Badge>
    )
  if (isAtWork(closure)) return <Badge tone="info">{`${closure.done} of ${closure.total}`}</Badge>
  return <Badge tone="danger">Closed</Badge>
}

const didWords = ({ cancelled, families, owed, remedy }: ListedClosure) =>
  `${counted(cancelled, 'order')} of ${counted(families, 'family', 'families')} cancelled, ${kwacha(owed)} as ${remedyText[remedy]}`
