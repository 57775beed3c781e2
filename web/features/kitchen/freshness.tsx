import { useQuery } from '@tanstack/react-query'
import { messageOf } from '../../lib/call'
import { classes } from '../../lib/classes'
import { counted, longDate } from '../../lib/format'
import { schoolClock, schoolNow } from '../../lib/school-moment'
import { useNow } from '../../lib/use-time'
import { calendarQuery } from '../../queries/cycles'
import { Button } from '../../ui/button'
import { Notice } from '../../ui/notice'

type FreshnessProps = { at: number; failed: boolean; onWithout: (() => void) | null }

/** Last on a screen. `at` in ms of the device's clock, 0 before the first answer. */
export const Freshness = ({ at, failed, onWithout }: FreshnessProps) => (
  <div className="order-last flex flex-wrap gap-x-4 text-sm text-muted print:hidden">
    <CycleStart />
    <p className="money">{at ? `Last updated: ${schoolClock(schoolNow(at))}` : failed ? null : 'Loading'}</p>
    {onWithout ? (
      <Button variant="ghost" size="sm" className="-my-2 print:hidden" onClick={onWithout}>
        No lunch ordered
      </Button>
    ) : null}
  </div>
)

const CycleStart = () => {
  const cycles = useQuery(calendarQuery)
  if (cycles.isPending) return <p>Current cycle start: …</p>
  const active = cycles.data?.find((cycle) => cycle.isActive)
  return <p>{`Current cycle start: ${active ? longDate(active.startDate) : 'No date'}`}</p>
}

export const NotRefreshed = ({ error }: { error: Error }) => (
  <div className="w-full">
    <Notice tone="danger" title="Failed to fetch orders">
      <p>What you see is from the time above. {messageOf(error, '')}</p>
    </Notice>
  </div>
)

const minuteMs = 60_000
const tooOldMs = 2 * minuteMs

/** In ms; 0 before the first answer. */
const useAge = (at: number): number => {
  const now = useNow(1_000)
  return at === 0 ? 0 : Math.max(0, now - at)
}

/** "8 s ago", then in minutes. */
const agoText = (ageMs: number): string =>
  ageMs < minuteMs
    ? `${Math.floor(ageMs / 1_000)} s ago`
    : `${counted(Math.floor(ageMs / minuteMs), 'minute')} ago`

/** On a phone it stands below the only choice, or beside the buttons below two. */
export const Age = ({ at, isOwnLine }: { at: number; isOwnLine: boolean }) => {
  const age = useAge(at)
  return (
    <p
      className={classes(
        'money flex-1 basis-1/3 text-xs text-muted md:ml-auto md:flex-none md:text-sm print:hidden',
        isOwnLine && 'max-md:order-last max-md:basis-full',
      )}
    >
      {at === 0 ? '\u00a0' : `Updated ${agoText(age)}`}
    </p>
  )
}

export const TooOld = ({ at }: { at: number }) => {
  const age = useAge(at)
  if (age <= tooOldMs) return null
  return (
    <div className="w-full print:hidden">
      <Notice tone="warning" title={`No answer for ${counted(Math.floor(age / minuteMs), 'minute')}`}>
        <p>What you see may have changed since. It is read again as soon as there is a connection.</p>
      </Notice>
    </div>
  )
}
