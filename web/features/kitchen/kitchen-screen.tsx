import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useSearchParams, Link } from 'react-router-dom'
import type { KitchenReply } from '#contracts/kitchen'
import { messageOf } from '../../lib/call'
import { classes } from '../../lib/classes'
import { dayName, longDate, longDay, counted, weekdayOf } from '../../lib/format'
import { lazyComponent } from '../../lib/lazy'
import { paths } from '../../lib/paths'
import { schoolClock, schoolNow } from '../../lib/school-moment'
import { useNow } from '../../lib/use-time'
import { calendarQuery } from '../../queries/cycles'
import { Button } from '../../ui/button'
import { Card } from '../../ui/card'
import { Notice } from '../../ui/notice'
import { EmptyState, QueryResult, SkeletonLines, type QueryState } from '../../ui/query-result'
import { Select } from '../../ui/select'
import { cycleLengthQuery, kitchenQuery, notePrintOf } from './api'
import { ChangesButton, ChangesSlip, DayStateText } from './changes'
import { ClassLists } from './class-lists/class-lists'
import { CookingList } from './cooking/cooking-list'
import {
  addressWithChanges,
  addressWithLabels,
  addressWithList,
  changedDay,
  openedPrint,
  listedDay,
  addressWithDay,
  addressWithView,
  addressWithout,
  dayWithout,
  dayFromAddress,
  emptyLabel,
  viewFromAddress,
  viewsOf,
  isLater,
  type KitchenView,
  viewLabel,
} from './kitchen-view'
import { Labels } from './labels/labels'
import { PrintButton, PrintedAt, usePaperFoot } from './printing'

const NoLunch = lazyComponent(() => import('./no-lunch').then((m) => m.NoLunch))

export const KitchenScreen = () => {
  const [search, setSearch] = useSearchParams()
  const listed = listedDay(search)
  const changed = changedDay(search)
  if (changed !== null)
    return (
      <ChangesSlip
        date={changed}
        print={openedPrint(search)}
        onPrint={(print) => setSearch(addressWithChanges(search, changed, print))}
        onBack={() => setSearch(addressWithChanges(search, null), { replace: true })}
      />
    )
  const without = dayWithout(search)
  if (without !== null)
    return (
      <Suspense fallback={<SkeletonLines lines={12} className="h-20" />}>
        <NoLunch
          date={without}
          onDate={(date) => setSearch(addressWithout(search, date), { replace: true })}
          onBack={() => setSearch(addressWithout(search, null), { replace: true })}
        />
      </Suspense>
    )
  if (listed === null) return <Portions />
  if (search.has('labels'))
    return (
      <Labels date={listed} onBack={() => setSearch(addressWithLabels(search, false), { replace: true })} />
    )
  return (
    <ClassLists
      date={listed}
      onBack={() => setSearch(addressWithList(search, null), { replace: true })}
      onLabels={() => setSearch(addressWithLabels(search, true))}
    />
  )
}

const Portions = () => {
  const [search, setSearch] = useSearchParams()
  const length = useQuery(cycleLengthQuery)
  const weeks = length.data?.cycleLength ?? defaultLength
  const view = viewFromAddress(search, length.isPending ? longest : weeks)
  const day = dayFromAddress(search, view)
  const orders = useQuery(kitchenQuery(view, day))
  const shown = orders.data?.date ?? null
  const showChanges = (date: string) => setSearch(addressWithChanges(search, date))
  return (
    <div className="flex flex-col gap-3 sm:gap-4 print:block">
      <KitchenHeader
        view={view}
        views={viewsOf(weeks)}
        day={day}
        shown={shown}
        onView={(next) => setSearch(addressWithView(search, next))}
        onDay={(next) => setSearch(addressWithDay(search, next))}
        orders={orders}
      />
      <Freshness
        at={orders.dataUpdatedAt}
        failed={orders.error !== null}
        onWithout={shown === null ? null : () => setSearch(addressWithout(search, shown))}
      />
      <ByPlans planned={orders.data?.planned ?? []} />
      <QueryResult
        query={orders}
        failure="Failed to fetch orders"
        waiting={<SkeletonLines lines={12} className="h-20" />}
        isEmpty={({ totals }) => totals.length === 0}
        empty={
          <Card>
            <EmptyState
              title={emptyLabel(view, shown)}
              action={shown === null ? null : <OfToday date={shown} onChanges={showChanges} />}
            >
              {day === null
                ? 'Orders appear here as soon as they are placed.'
                : `Nothing is ordered for ${dayName(day)}. Choose all days to see the others.`}
            </EmptyState>
          </Card>
        }
      >
        {({ totals, ...health }) => (
          <CookingList
            key={`${view}/${day}`}
            totals={totals}
            health={health}
            onList={(date) => setSearch(addressWithList(search, date))}
            onChanges={view === 'today' ? showChanges : null}
          />
        )}
      </QueryResult>
    </div>
  )
}

/** What plans of families would still order on open days. */
const ByPlans = ({ planned }: Pick<KitchenReply, 'planned'>) =>
  planned.length === 0 ? null : (
    <p className="text-sm text-muted">
      {planned.map(({ date, meals }) => `${weekdayOf(date)} and about ${meals} by plans`).join(' · ')}
    </p>
  )

/** Default and maximum number of weeks. */
const defaultLength = 4
const longest = 6

type KitchenHeaderProps = {
  view: KitchenView
  views: KitchenView[]
  day: number | null
  /** Date of the today view; null for a week or while unknown. */
  shown: string | null
  onView: (view: KitchenView) => void
  onDay: (day: number | null) => void
  orders: Omit<QueryState<KitchenReply>, 'refetch'> & {
    dataUpdatedAt: number
    refetch: () => Promise<{ data: KitchenReply | undefined }>
  }
}

/** View, freshness, reload and print. */
const KitchenHeader = ({ view, views, day, shown, onView, onDay, orders }: KitchenHeaderProps) => {
  const title = `Kitchen View · ${viewLabel(view)}${day === null ? '' : `, ${dayName(day)}`}`
  usePaperFoot(shown === null ? title : `${title}, ${longDay(shown)}`)
  // Read at the press: later changes count as new.
  const noted = async () => {
    const read = orders.refetch().then(({ data }) => data)
    const late = new Promise<undefined>((resolve) => setTimeout(resolve, maxReadMs))
    const printed = (await Promise.race([read, late])) ?? orders.data
    const dates = new Set(printed?.totals.map(({ mealDate }) => mealDate))
    const endOf = new Map(printed?.shown?.map(({ date, at }) => [date, at]))
    return () => Promise.all([...dates].map((date) => notePrintOf({ date, at: endOf.get(date) })))
  }
  return (
    <div className="flex flex-wrap items-center gap-2 print:block">
      <Select
        label="View"
        hideLabel
        className="min-w-36 flex-1 md:max-w-52 print:hidden"
        options={views.map((one) => ({ value: String(one), label: viewLabel(one) }))}
        value={String(view)}
        onChange={(event) =>
          onView(viewFromAddress(new URLSearchParams({ week: event.target.value }), views.length - 1))
        }
      />
      {view === 'today' ? null : <DayChoice day={day} onDay={onDay} />}
      <p className="hidden font-display text-2xl font-semibold print:block">{title}</p>
      <PrintedAt />
      <Age at={orders.dataUpdatedAt} isOwnLine={view === 'today'} />
      <Button
        variant="secondary"
        icon="refresh"
        className="max-lg:w-11 max-lg:gap-0 max-lg:px-0 print:hidden"
        busy={orders.isFetching}
        onClick={() => void orders.refetch()}
      >
        <span className="max-lg:sr-only">Refresh</span>
      </Button>
      <PrintButton narrow before={noted} />
      {isLater(shown) ? (
        <p className="w-full">{`No school today. These are the orders of ${longDay(shown)}.`}</p>
      ) : null}
      {orders.error && orders.data !== undefined ? <NotRefreshed error={orders.error} /> : null}
      <TooOld at={orders.dataUpdatedAt} />
    </div>
  )
}

/** Without a day's card to hold them. */
const OfToday = ({ date, onChanges }: { date: string; onChanges: (date: string) => void }) => (
  <div className="flex flex-wrap items-center justify-center gap-2">
    <DayStateText date={date} />
    <ChangesButton onPress={() => onChanges(date)} />
    <Link to={paths.serve} className="btn btn-secondary btn-sm">
      Hatch
    </Link>
  </div>
)

const maxReadMs = 4_000

/** Last on a screen. `at` in ms of the device's clock, 0 before the first answer. */
type FreshnessProps = { at: number; failed: boolean; onWithout: (() => void) | null }

const Freshness = ({ at, failed, onWithout }: FreshnessProps) => (
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

const days = [
  { value: '', label: 'All Days' },
  ...[1, 2, 3, 4, 5].map((day) => ({ value: String(day), label: dayName(day) })),
]

const DayChoice = ({ day, onDay }: Pick<KitchenHeaderProps, 'day' | 'onDay'>) => (
  <Select
    label="Day"
    hideLabel
    className="min-w-36 flex-1 md:max-w-40 print:hidden"
    options={days}
    value={day ?? ''}
    onChange={(event) => onDay(Number(event.target.value) || null)}
  />
)

const CycleStart = () => {
  const cycles = useQuery(calendarQuery)
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
const Age = ({ at, isOwnLine }: { at: number; isOwnLine: boolean }) => {
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

const TooOld = ({ at }: { at: number }) => {
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
