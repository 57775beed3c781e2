import { useMemo } from 'react'
import type { MenuItem } from '#contracts/catalogue'
import type { CycleWeek, OrderCycle } from '#contracts/cycles'
import { classes } from '../../lib/classes'
import { EmptyState } from '../../ui/empty-state'
import { type DayActs, DayCard } from './day-card'
import type { DayOrder, Eater } from './day-content'
import { type CartedMeal, cartedOn, type OpenDay, standingOf, weekViews } from './menu-week'
import { WeekSection } from './week-section'

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
          standing={standingOf(views[at]!, eater, cart)}
          onPlan={(open) => onPlan(week, open)}
        >
          {() =>
            views[at]!.map((view) => (
              <DayCard
                key={view.day.day}
                view={view}
                eater={eater}
                carted={cartedOn(view, eater, cart)}
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
