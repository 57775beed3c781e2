import { CallError } from '../../lib/call'
import { counted } from '../../lib/format'
import { schoolClock, schoolNow } from '../../lib/school-moment'
import { useNow } from '../../lib/use-now'
import { useOnline } from '../../lib/use-online'
import { Icon } from '../../ui/icon'
import { Notice } from '../../ui/notice'
import type { HatchUser, Queue } from './device/device-store'
import { waitingInWords } from './waiting-in-words'

type HatchStatusProps = {
  user: HatchUser
  queue: Queue
  /** When the list was last read, ms of the device's clock; null without a list. */
  readAt: number | null
  /** Why the list could not be read again, and why the marks could not be sent. */
  readError: Error | null
  sendError: Error | null
}

/** What has reached the server and what has not, and how old the list is. */
export const HatchStatus = ({ user, queue, readAt, readError, sendError }: HatchStatusProps) => {
  const online = useOnline()
  const own = queue.waiting.filter((one) => one.user.id === user.id).length
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <output className={own > 0 ? 'flex items-center gap-2 font-semibold text-warning-700' : sentClass}>
          <Icon name={own > 0 ? 'clock' : 'check'} />
          {own > 0 ? waitingInWords(own) : 'All sent'}
        </output>
        {readAt === null ? null : <ListAge readAt={readAt} />}
      </div>
      <div aria-live="polite">
        <p hidden={online} className="flex items-center gap-2 font-semibold text-warning-700">
          <Icon name="offline" />
          No connection. What you mark is kept on this device.
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

const sentClass = 'flex items-center gap-2 text-brand-800'

const otherUsers = (user: HatchUser, { waiting }: Queue): [string, number][] => {
  const counts = new Map<string, number>()
  for (const one of waiting)
    if (one.user.id !== user.id) counts.set(one.user.name, (counts.get(one.user.name) ?? 0) + 1)
  return [...counts]
}

const minuteMs = 60_000

/** How old the list is, where it is not fresh: older than a minute, or without a connection. */
const ListAge = ({ readAt }: { readAt: number }) => {
  const online = useOnline()
  const age = Math.max(0, useNow(10_000) - readAt)
  if (online && age <= minuteMs) return null
  const minutes = Math.floor(age / minuteMs)
  return <p className="text-sm">{`List of ${schoolClock(schoolNow(readAt))}, ${minutes} min old`}</p>
}

/** The server's own words, where it said no; that nothing was heard is told by the age and by what waits. */
const Refused = ({ error, title }: { error: Error | null; title: string }) =>
  error instanceof CallError && error.status !== 401 ? (
    <Notice tone="warning" title={title}>
      <p>{error.reply?.message ?? 'The server has a fault. It is asked again by itself.'}</p>
    </Notice>
  ) : null
