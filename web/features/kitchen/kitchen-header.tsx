import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import type { KitchenReply } from '#contracts/kitchen'
import { messageOf } from '../../lib/call'
import { dayName, longDate, longDay } from '../../lib/format'
import { paths } from '../../lib/paths'
import { schoolClock, schoolNow } from '../../lib/school-moment'
import { Button } from '../../ui/button'
import { Notice } from '../../ui/notice'
import type { QueryState } from '../../ui/query-result'
import { Select } from '../../ui/select'
import { cyclesQuery, notePrintOf } from './api'
import { Age, TooOld } from './age'
import { DayState } from './changes/day-state'
import { isLater, type KitchenView, viewFromAddress, viewLabel } from './kitchen-view'
import { PrintButton, PrintedAt, usePaperFoot } from './printing'

type KitchenHeaderProps = {
  view: KitchenView
  views: KitchenView[]
  /** One day of the week that is looked at; null for all. */
  day: number | null
  /** The date that the view of today shows; null for a week, and before it is known. */
  shown: string | null
  onView: (view: KitchenView) => void
  onDay: (day: number | null) => void
  /** Asks for what changed on a day, `YYYY-MM-DD`. */
  onChanges: (date: string) => void
  orders: QueryState<KitchenReply> & { dataUpdatedAt: number }
}

/** What is looked at, how fresh it is, and the ways to see it again or on paper. */
export const KitchenHeader = ({
  view,
  views,
  day,
  shown,
  onView,
  onDay,
  onChanges,
  orders,
}: KitchenHeaderProps) => {
  const title = `Kitchen View · ${viewLabel(view)}${day === null ? '' : `, ${dayName(day)}`}`
  usePaperFoot(shown === null ? title : `${title}, ${longDay(shown)}`)
  // Noted before it is read again: what comes between the two is told as a change once more rather than never.
  const noted = async () => {
    const dates = new Set(orders.data?.totals.map(({ mealDate }) => mealDate) ?? [])
    await Promise.all([...dates].map(notePrintOf))
    await Promise.race([orders.refetch(), new Promise((resolve) => setTimeout(resolve, longestReadMs))])
  }
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-3">
      <div className="flex flex-wrap items-end gap-x-4 gap-y-3 print:gap-x-6">
        <Select
          label="View"
          className="w-56 print:hidden"
          options={views.map((one) => ({ value: String(one), label: viewLabel(one) }))}
          value={String(view)}
          onChange={(event) =>
            onView(viewFromAddress(new URLSearchParams({ week: event.target.value }), views.length - 1))
          }
        />
        {view === 'today' ? null : <DayChoice day={day} onDay={onDay} />}
        <p className="hidden w-full font-display text-2xl font-semibold print:block">{title}</p>
        <PrintedAt />
      </div>
      {isLater(shown) ? (
        <p className="w-full">{`No school today. These are the orders of ${longDay(shown)}.`}</p>
      ) : null}
      <Freshness at={orders.dataUpdatedAt} failed={orders.error !== null} />
      <div className="flex flex-wrap items-center gap-2 print:hidden">
        <Age at={orders.dataUpdatedAt} />
        <Button
          variant="secondary"
          icon="refresh"
          busy={orders.isFetching}
          onClick={() => void orders.refetch()}
        >
          Refresh
        </Button>
        <PrintButton before={noted} />
        <Link to={paths.serve} className="btn btn-secondary btn-md">
          Hatch
        </Link>
      </div>
      {shown === null ? null : <DayState date={shown} onChanges={() => onChanges(shown)} />}
      {orders.error && orders.data !== undefined ? <NotRefreshed error={orders.error} /> : null}
      <TooOld at={orders.dataUpdatedAt} />
    </div>
  )
}

const longestReadMs = 4_000

/** When the cycle began, and from when what is seen is (ms of the device's clock, 0 before the first answer). */
const Freshness = ({ at, failed }: { at: number; failed: boolean }) => (
  <div className="order-last flex w-full flex-wrap gap-x-4 text-sm text-muted xl:order-none xl:mr-auto xl:block xl:w-auto print:flex print:w-full">
    <CycleStart />
    <p className="money">{at ? `Last updated: ${schoolClock(schoolNow(at))}` : failed ? null : 'Loading'}</p>
  </div>
)

const days = [
  { value: '', label: 'All Days' },
  ...[1, 2, 3, 4, 5].map((day) => ({ value: String(day), label: dayName(day) })),
]

const DayChoice = ({ day, onDay }: Pick<KitchenHeaderProps, 'day' | 'onDay'>) => (
  <Select
    label="Day"
    className="w-36 print:hidden"
    options={days}
    value={day ?? ''}
    onChange={(event) => onDay(Number(event.target.value) || null)}
  />
)

const CycleStart = () => {
  const cycles = useQuery(cyclesQuery)
  if (cycles.isPending) return <p>Current cycle start: …</p>
  const active = cycles.data?.find((cycle) => cycle.isActive)
  return <p>{`Current cycle start: ${active ? longDate(active.startDate) : 'No date'}`}</p>
}

const NotRefreshed = ({ error }: { error: Error }) => (
  <div className="w-full">
    <Notice tone="danger" title="Failed to fetch orders">
      <p>What you see is from the time above. {messageOf(error, '')}</p>
    </Notice>
  </div>
)
