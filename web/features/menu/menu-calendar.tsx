import type { CycleWeek, OrderCycle } from '#contracts/cycles'
import { classes } from '../../lib/classes'
import { EmptyState } from '../../ui/empty-state'
import { DayCard } from './day-card'
import type { Eater, MenuDay } from './day-face'
import type { MealChoice } from './meal-card'
import { weekView } from './menu-week'
import type { MenuFacts, OpenDay } from './menu-week'
import { WeekSection } from './week-section'

export type MenuCalendarProps = MenuFacts & {
  cycles: readonly OrderCycle[]
  eater: Eater
  onAdd: (day: MenuDay, choice: MealChoice) => void
  onRemove: (day: MenuDay) => void
  onPlan: (week: CycleWeek, days: OpenDay[]) => void
}

/** The weeks of the active cycle for one child. What is open is what the server says. */
export const MenuCalendar = ({ cycles, eater, onAdd, onRemove, onPlan, ...facts }: MenuCalendarProps) => {
  const cycle = cycles.find((one) => one.isActive)
  if (!cycle?.weeks?.length)
    return (
      <EmptyState icon="calendar" title="No meals to order right now">
        There is no active order cycle. As soon as the tuckshop opens the next one, its menu is here.
      </EmptyState>
    )
  return (
    <div className="flex flex-col gap-8">
      <WeekJump weeks={cycle.weeks} today={cycle.today ?? ''} />
      {cycle.weeks.map((week) => {
        const days = weekView(cycle, week, eater, facts)
        return (
          // A new child is a new calendar: half-made choices of another one do not stay.
          <WeekSection
            key={`${eater.id}-${week.week}`}
            week={week}
            days={days}
            onPlan={(open) => onPlan(week, open)}
          >
            {() =>
              days.map((view) => (
                <DayCard
                  key={view.day.day}
                  {...view}
                  eater={eater}
                  onAdd={(choice) => onAdd(view.day, choice)}
                  onRemove={() => onRemove(view.day)}
                />
              ))
            }
          </WeekSection>
        )
      })}
    </div>
  )
}

const WeekJump = ({ weeks, today }: { weeks: readonly CycleWeek[]; today: string }) => (
  <nav
    aria-label="Weeks"
    className="sticky top-0 z-10 -mx-4 -mb-4 flex gap-2 overflow-x-auto bg-page px-4 py-2"
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
            'min-h-11 flex-1 rounded-md border px-2 text-sm font-semibold whitespace-nowrap sm:flex-none sm:px-4',
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
