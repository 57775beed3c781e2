import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useMemo } from 'react'
import { longDay } from '../../lib/format'
import { schoolDate, schoolNow } from '../../lib/school-moment'
import { useConnectionBack } from '../../lib/use-online'
import { EmptyState } from '../../ui/empty-state'
import { Notice } from '../../ui/notice'
import { QueryResult } from '../../ui/query-result'
import { servingQuery } from './api'
import type { HatchUser } from './device/device-store'
import { HatchStatus } from './hatch-status'
import { Lunches } from './lunches/lunches'
import { useDevice, useSending } from './use-hatch'

/** Handing out the lunches of the day, with a connection or without: the list and the marks are this device's own. */
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
          // What this device marked is never left out.
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

/** The day is the server's; this device's own clock can only warn. */
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
