import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useMemo } from 'react'
import { CallError } from '../../lib/call'
import { classes } from '../../lib/classes'
import { counted, longDay, shortDay } from '../../lib/format'
import { schoolDate, schoolNow, schoolClock } from '../../lib/school-moment'
import { useConnectionBack, useOnline } from '../../lib/use-device'
import { useNow } from '../../lib/use-time'
import { Button } from '../../ui/button'
import { Icon } from '../../ui/icon'
import { Notice } from '../../ui/notice'
import { EmptyState, QueryResult } from '../../ui/query-result'
import { queueQuery, servingQuery } from './api'
import {
  type DeviceList,
  dismissNotices,
  type HatchUser,
  type MarkNotice,
  type Queue,
} from './device/device-store'
import { noticeText, waitingText } from './device/marks'
import { Lunches } from './lunches/lunches'
import { useDevice, useSending, useStill } from './use-hatch'

/** Works offline on this device's list and marks. */
export const HatchScreen = ({ user: { id, name }, actions }: { user: HatchUser; actions: ReactNode }) => {
  const user = useMemo(() => ({ id, name }), [id, name])
  const { read, list, queue, waiting, told, sendError } = useStill(useHatchNow(user))
  const readError = list ? read.error : null
  const silence = useSilence(readError, sendError)
  const isWaiting =
    list === undefined || queue === undefined || (list === null && read.fetchStatus === 'fetching')
  return (
    <>
      <header className="flex min-h-12 items-center gap-2">
        <div className="min-w-0 flex-1 leading-tight">
          <h1 className="font-display text-lg leading-tight! font-semibold sm:text-2xl">
            {list ? `Hatch · ${shortDay(list.date)}` : 'Hatch'}
          </h1>
          {queue ? <SendState waiting={waiting.length} isSilent={silence !== null} /> : null}
        </div>
        {actions}
      </header>
      {queue ? (
        <HatchStatus
          user={user}
          queue={queue}
          silence={silence}
          readAt={list?.source.readAt ?? null}
          readError={readError}
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
        {(shown) => (
          <>
            <Told user={user} told={told} list={shown} />
            <Lunches user={user} list={shown} waiting={waiting} told={told} />
            <div className="text-sm text-muted">
              <p>Nothing about allergies: the family has not told us.</p>
              <p>{`Handed out by ${name}`}</p>
            </div>
          </>
        )}
      </QueryResult>
    </>
  )
}

const useHatchNow = (user: HatchUser) => {
  const read = useQuery(servingQuery(user))
  const { refetch } = read
  useConnectionBack(useCallback(() => void refetch(), [refetch]))
  const { list, queue } = useDevice(user)
  const waiting = useMemo(() => queue?.waiting.filter((one) => one.user.id === user.id) ?? [], [queue, user])
  const told = useMemo(() => queue?.told.filter(({ userId }) => userId === user.id) ?? [], [queue, user])
  return { read, list, queue, waiting, told, sendError: useSending(user, waiting) }
}

type ToldProps = { user: HatchUser; told: Queue['told']; list: DeviceList }

const Told = ({ user, told, list }: ToldProps) => {
  const client = useQueryClient()
  const names = useMemo(() => new Map(list.lunches.map((one) => [one.orderId, one.student])), [list.lunches])
  const putAway = async () => {
    await dismissNotices(user.id)
    await client.invalidateQueries({ queryKey: queueQuery.queryKey })
  }
  return (
    <MarkNotices
      told={told}
      nameOf={(orderId) => names.get(orderId) ?? otherDay(orderId)}
      onPutAway={() => void putAway()}
    />
  )
}

const otherDay = (orderId: string) => {
  const date = /\d{4}-\d\d-\d\d/.exec(orderId)?.[0]
  return date ? `A lunch of ${longDay(date)}` : 'A lunch'
}

type ToldListProps = {
  told: readonly MarkNotice[]
  /** Whose lunch an order is, where it is on the list. */
  nameOf: (orderId: string) => string
  onPutAway: () => void
}

/** Until dismissed. */
const MarkNotices = ({ told, nameOf, onPutAway }: ToldListProps) =>
  told.length === 0 ? null : (
    <Notice tone="warning" title={`${counted(told.length, 'mark was', 'marks were')} changed by the server`}>
      {/* Scrollable by keyboard. */}
      <ul {...scrolling} className="flex max-h-60 w-full flex-col gap-1 overflow-y-auto">
        {told.map((answer) => (
          <li key={answer.markId} className="break-words">
            <strong>{nameOf(answer.orderId)}</strong>
            {`: ${noticeText(answer)}`}
          </li>
        ))}
      </ul>
      <Button variant="secondary" className="min-h-12" onClick={onPutAway}>
        Dismiss
      </Button>
    </Notice>
  )

const scrolling = { tabIndex: 0, 'aria-label': 'Answers' }

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

const SendState = ({ waiting, isSilent }: { waiting: number; isSilent: boolean }) => (
  <output className={classes('flex items-center gap-1.5 text-xs sm:text-sm', toneOf(waiting, isSilent))}>
    <Icon name={waiting > 0 ? 'clock' : 'check'} size="sm" />
    {waiting > 0 ? waitingText(waiting) : 'All sent'}
  </output>
)

type HatchStatusProps = {
  user: HatchUser
  queue: Queue
  silence: string | null
  /** Ms of the device's clock; null without a list. */
  readAt: number | null
  /** Errors of the last read and the last sending. */
  readError: Error | null
  sendError: Error | null
}

const HatchStatus = ({ user, queue, silence, readAt, readError, sendError }: HatchStatusProps) => (
  <div className="flex flex-col gap-2 empty:hidden">
    <div className="flex flex-wrap gap-x-3 text-xs font-semibold text-warning-700 sm:text-sm">
      <div aria-live="polite">
        <p hidden={!silence} className="flex items-center gap-1.5">
          <Icon name="offline" size="sm" />
          {`${silence ?? ''} Marks are kept on this device.`}
        </p>
      </div>
      {readAt === null ? null : <ListAge readAt={readAt} isHeard={silence === null} />}
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
  const age = Math.max(0, useStill(useNow(10_000)) - readAt)
  if (isHeard && age <= minuteMs) return null
  const minutes = Math.floor(age / minuteMs)
  return <p>{`List of ${schoolClock(schoolNow(readAt))}, ${minutes} min old`}</p>
}

const Refused = ({ error, title }: { error: Error | null; title: string }) =>
  error instanceof CallError && error.status !== 401 ? (
    <Notice tone="warning" title={title}>
      <p>{error.reply?.message ?? 'The server has a fault. We try again automatically.'}</p>
    </Notice>
  ) : null
