import { useMemo, type ReactNode, useState } from 'react'
import type { MenuItem } from '#contracts/catalogue'
import type { CycleWeek, OrderCycle } from '#contracts/cycles'
import { classes } from '../../lib/classes'
import { EmptyState } from '../../ui/empty-state'
import { type DayActs, DayCard } from './day-card'
import { useFewLeft } from './few-left'
import type { DayOrder, Eater } from './day-content'
import {
  type CartedMeal,
  cartedOn,
  type OpenDay,
  standingOf,
  weekViews,
  type WeekStanding,
} from './menu-week'
import { dateRange } from '../../lib/format'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { Icon } from '../../ui/icon'

export type MenuCalendarProps = DayActs & {
  cycles: readonly OrderCycle[]
  items: readonly MenuItem[]
  orders: readonly DayOrder[]
  cart: readonly CartedMeal[]
  eater: Eater
  /** Asks to order all the open days of a week at once. */
  onPlan: (week: CycleWeek, days: OpenDay[]) => void
}

/** The weeks of the active cycle for one child. What is open is what the server says. */
export const MenuCalendar = ({ cycles, items, orders, cart, eater, onPlan, ...acts }: MenuCalendarProps) => {
  const cycle = cycles.find((one) => one.isActive)
  const few = useFewLeft(cycle?.weeks ?? [])
  const views = useMemo(() => weekViews(cycle, eater, items, orders), [cycle, eater, items, orders])
  if (!cycle?.weeks?.length)
    return (
      <EmptyState icon="calendar" title="No meals to order right now">
        There is no active order cycle. As soon as the tuckshop opens the next one, its menu is here.
      </EmptyState>
    )
  return (
    <div className="flex flex-col gap-6">
      <WeekJump weeks={cycle.weeks} today={cycle.today ?? ''} />
      {cycle.weeks.map((week, at) => (
        // A new child is a new calendar: half-made choices of another one do not stay.
        <WeekSection
          key={`${eater.id}-${week.week}`}
          week={week}
          standing={standingOf(views[at]!, eater, cart, few)}
          onPlan={(open) => onPlan(week, open)}
        >
          {() =>
            views[at]!.map((view) => (
              <DayCard
                key={view.day.day}
                view={view}
                eater={eater}
                carted={cartedOn(view, eater, cart)}
                few={few[view.day.date]}
                {...acts}
              />
            ))
          }
        </WeekSection>
      ))}
    </div>
  )
}

const WeekJump = ({ weeks, today }: { weeks: readonly CycleWeek[]; today: string }) => (
  <nav
    aria-label="Weeks"
    className="sticky top-0 z-10 -mx-4 -mb-4 flex gap-1.5 overflow-x-auto bg-page px-4 py-2"
  >
    {weeks.map(({ week, startDate, endDate }) => {
      const isNow = startDate <= today && today <= endDate
      return (
        <button
          key={week}
          type="button"
          aria-current={isNow ? 'date' : undefined}
          onClick={() => document.getElementById(`week-${week}`)?.scrollIntoView({ behavior: 'smooth' })}
          className={classes(
            'min-h-11 flex-1 rounded-md border px-1 text-sm font-semibold whitespace-nowrap sm:flex-none sm:px-4',
            isNow
              ? 'border-brand-700 bg-brand-50 text-brand-800 underline decoration-2 underline-offset-4'
              : 'border-sand-300 bg-surface hover:bg-sand-100',
          )}
        >
          Week {week}
        </button>
      )
    })}
  </nav>
)

type WeekSectionProps = {
  week: CycleWeek
  standing: WeekStanding
  onPlan: (days: OpenDay[]) => void
  children: () => ReactNode
}

/** A week of the cycle under its dates and what of it is done; one that is over starts folded. */
const WeekSection = ({ week, standing, onPlan, children }: WeekSectionProps) => {
  const [unfolded, setUnfolded] = useState(!week.completed)
  const { open } = standing
  const body = `week-${week.week}-days`
  return (
    <section
      id={`week-${week.week}`}
      aria-labelledby={`${body}-title`}
      className="flex scroll-mt-16 flex-col gap-3"
    >
      <div className="grid grid-cols-[minmax(0,10rem)_auto] items-center gap-x-2 gap-y-1 border-b border-line pb-2 sm:flex sm:gap-x-4">
        <h2 id={`${body}-title`}>
          <span className="font-display text-xl font-semibold">Week {week.week}</span>{' '}
          <span className="block text-xs text-muted sm:text-sm">
            {dateRange(week.startDate, week.endDate)}
          </span>
        </h2>
        <p className="col-span-2 row-start-2 flex min-h-7 flex-wrap items-center gap-x-3 text-xs text-muted sm:flex-1">
          {week.completed ? <Badge icon="check">Completed</Badge> : null}
          <WeekCounts {...standing} />
        </p>
        {week.completed ? (
          <Button
            variant="ghost"
            className="justify-self-end"
            aria-expanded={unfolded}
            aria-controls={body}
            onClick={() => setUnfolded(!unfolded)}
          >
            {unfolded ? 'Hide days' : 'Show days'}
          </Button>
        ) : null}
        {open.length > 0 ? (
          <Button
            variant="secondary"
            className="justify-self-end px-2! text-sm! sm:px-4!"
            onClick={() => onPlan(open)}
          >
            Order this week
          </Button>
        ) : null}
      </div>
      <div id={body}>
        {unfolded ? <div className="grid items-start gap-3 lg:grid-cols-5">{children()}</div> : null}
      </div>
    </section>
  )
}

const WeekCounts = ({ ordered, carted, open }: WeekStanding) => {
  const counts = [
    ['check', ordered, 'ordered'],
    ['cart', carted, 'in the cart'],
    ['bowl', open.length, 'open'],
  ] as const
  return counts.map(([icon, count, words]) =>
    count > 0 ? (
      <span key={icon} className="flex items-center gap-1">
        <Icon name={icon} size="sm" />
        {count} {words}
      </span>
    ) : null,
  )
}
