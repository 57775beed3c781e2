import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useMemo } from 'react'
import { longDay, counted } from '../../lib/format'
import { schoolDate, schoolNow, schoolClock } from '../../lib/school-moment'
import { useConnectionBack, useOnline } from '../../lib/use-device'
import { EmptyState, QueryResult } from '../../ui/query-result'
import { Notice } from '../../ui/notice'
import { servingQuery } from './api'
import type { HatchUser, Queue } from './device/device-store'
import { Lunches } from './lunches/lunches'
import { useDevice, useSending } from './use-hatch'
import { CallError } from '../../lib/call'
import { useNow } from '../../lib/use-time'
import { Icon } from '../../ui/icon'
import { waitingText } from './device/marks'

/** Works offline on this device's list and marks. */
export const HatchScreen = ({ user: { id, name }, actions }: { user: HatchUser; actions: ReactNode }) => {
  const user = useMemo(() => ({ id, name }), [id, name])
  const read = useQuery(servingQuery(user))
  const { refetch } = read
  useConnectionBack(useCallback(() => void refetch(), [refetch]))
  const { list, queue } = useDevice(user)
  const waiting = useMemo(() => queue?.waiting.filter((one) => one.user.id === id) ?? [], [queue, id])
  const told = useMemo(() => queue?.told.filter(({ userId }) => userId === id) ?? [], [queue, id])
  const sendError = useSending(user, waiting)
  const isWaiting =
    list === undefined || queue === undefined || (list === null && read.fetchStatus === 'fetching')
  return (
    <>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div>
          <h1 className="font-display text-2xl font-semibold">
            {list ? `Hatch · ${longDay(list.date)}` : 'Hatch'}
          </h1>
          <p className="text-sm text-muted">{`Handed out by ${name}`}</p>
        </div>
        {actions}
      </div>
      {queue ? (
        <HatchStatus
          user={user}
          queue={queue}
          readAt={list?.source.readAt ?? null}
          readError={list ? read.error : null}
          sendError={sendError}
        />
      ) : null}
      {list && list.date < schoolDate(schoolNow()) ? <EarlierDay date={list.date} /> : null}
      <QueryResult
        query={{
          // This device's own marks always show.
          data: queue ? (list ?? undefined) : undefined,
          error: isWaiting || read.isPaused ? null : read.error,
          isFetching: read.isFetching,
          refetch: read.refetch,
        }}
        failure="The list could not be read"
        waiting={read.isPaused && list === null ? <NoList /> : undefined}
        isEmpty={({ lunches }) => lunches.length === 0}
        empty={<EmptyState title="No lunches today">Nobody has ordered for this day.</EmptyState>}
      >
        {(shown) => <Lunches user={user} list={shown} waiting={waiting} told={told} />}
      </QueryResult>
    </>
  )
}

const EarlierDay = ({ date }: { date: string }) => (
  <Notice tone="warning" title={`These are the lunches of ${longDay(date)}`}>
    <p>
      By the clock of this device that day is over. The list of today comes as soon as there is a connection.
    </p>
  </Notice>
)

const NoList = () => (
  <Notice tone="warning" title="No list on this device">
    <p>
      The list of the day is stored here once the hatch was open with a connection. It comes as soon as there
      is one.
    </p>
  </Notice>
)

type HatchStatusProps = {
  user: HatchUser
  queue: Queue
  /** Ms of the device's clock; null without a list. */
  readAt: number | null
  /** Errors of the last read and the last sending. */
  readError: Error | null
  sendError: Error | null
}

const HatchStatus = ({ user, queue, readAt, readError, sendError }: HatchStatusProps) => {
  const silence = useSilence(readError, sendError)
  const own = queue.waiting.filter((one) => one.user.id === user.id).length
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <output className={`flex items-center gap-2 ${toneOf(own, silence !== null)}`}>
          <Icon name={own > 0 ? 'clock' : 'check'} />
          {own > 0 ? waitingText(own) : 'All sent'}
        </output>
        {readAt === null ? null : <ListAge readAt={readAt} isHeard={silence === null} />}
      </div>
      <div aria-live="polite">
        <p hidden={!silence} className="flex items-center gap-2 font-semibold text-warning-700">
          <Icon name="offline" />
          {`${silence ?? ''} What you mark is kept on this device.`}
        </p>
      </div>
      {otherUsers(user, queue).map(([name, count]) => (
        <Notice
          key={name}
          title={`${counted(count, 'mark', 'marks')} of ${name} ${count === 1 ? 'waits' : 'wait'} to be sent`}
        >
          <p>{`Sent when ${name} signs in on this device and opens the hatch.`}</p>
        </Notice>
      ))}
      {queue.unkept > 0 ? (
        <Notice tone="danger" title="This device has no room left">
          <p>{`${counted(queue.unkept, 'mark is', 'marks are')} lost if this page is closed before all is sent.`}</p>
        </Notice>
      ) : null}
      <Refused error={sendError} title="The server does not take the marks. They stay on this device." />
      <Refused error={readError} title="The list could not be read again" />
    </div>
  )
}

/** Null while the server answers. A network may lead nowhere. */
const useSilence = (...errors: (Error | null)[]): string | null => {
  if (!useOnline()) return 'No connection.'
  const isSilent = errors.some((error) => error !== null && !(error instanceof CallError))
  return isSilent ? 'No answer from the school.' : null
}

// Unknown while the server is silent.
const toneOf = (waiting: number, isSilent: boolean): string => {
  if (waiting > 0) return 'font-semibold text-warning-700'
  return isSilent ? 'text-muted' : 'text-brand-800'
}

const otherUsers = (user: HatchUser, { waiting }: Queue): [string, number][] => {
  const counts = new Map<string, number>()
  for (const one of waiting)
    if (one.user.id !== user.id) counts.set(one.user.name, (counts.get(one.user.name) ?? 0) + 1)
  return [...counts]
}

const minuteMs = 60_000

/** Shown when over a minute old or the server is silent. */
const ListAge = ({ readAt, isHeard }: { readAt: number; isHeard: boolean }) => {
  const age = Math.max(0, useNow(10_000) - readAt)
  if (isHeard && age <= minuteMs) return null
  const minutes = Math.floor(age / minuteMs)
  return <p className="text-sm">{`List of ${schoolClock(schoolNow(readAt))}, ${minutes} min old`}</p>
}

const Refused = ({ error, title }: { error: Error | null; title: string }) =>
  error instanceof CallError && error.status !== 401 ? (
    <Notice tone="warning" title={title}>
      <p>{error.reply?.message ?? 'The server has a fault. It is asked again by itself.'}</p>
    </Notice>
  ) : null
