import type { MenuItem } from '#contracts/catalogue'
import type { CycleWeek, OrderCycle } from '#contracts/cycles'
import { EmptyState } from '../../ui/empty-state'
import { DayCard } from './day-card'
import type { CartedMeal } from './day-card'
import { dayFace } from './day-face'
import type { DayOrder, Eater, MenuDay } from './day-face'
import type { MealChoice } from './meal-card'
import { WeekSection } from './week-section'

type Carted = CartedMeal & { studentId: number; weekNumber: number; dayOfWeek: number }

export type MenuCalendarProps = {
  cycles: readonly OrderCycle[]
  items: readonly MenuItem[]
  eater: Eater
  orders: readonly DayOrder[]
  cart: readonly Carted[]
  onAdd: (day: MenuDay, choice: MealChoice) => void
  onRemove: (day: MenuDay) => void
}

/** The weeks of the active cycle for one child. What is open is what the server says. */
export const MenuCalendar = ({ cycles, ...rest }: MenuCalendarProps) => {
  const cycle = cycles.find((one) => one.isActive)
  if (!cycle?.weeks?.length)
    return (
      <EmptyState icon="calendar" title="No meals to order right now">
        There is no active order cycle. As soon as the tuckshop opens the next one, its menu is here.
      </EmptyState>
    )
  return (
    <div className="flex flex-col gap-8">
      <WeekJump weeks={cycle.weeks} />
      {cycle.weeks.map((week) => (
        // A new child is a new calendar: half-made choices of another one do not stay.
        <WeekSection key={`${rest.eater.id}-${week.week}`} week={week}>
          {() => <Days {...rest} cycle={cycle} week={week} />}
        </WeekSection>
      ))}
    </div>
  )
}

type DaysProps = Omit<MenuCalendarProps, 'cycles'> & { cycle: OrderCycle; week: CycleWeek }

const Days = ({ cycle, week, items, eater, orders, cart, onAdd, onRemove }: DaysProps) =>
  week.days.map(({ day, date, state }) => {
    const here: MenuDay = { cycleId: cycle.id, week: week.week, day, date, state }
    return (
      <DayCard
        key={day}
        day={here}
        eater={eater}
        face={dayFace(here, eater, items, orders)}
        isToday={date === cycle.today}
        carted={cart.find(
          (line) => line.studentId === eater.id && line.weekNumber === week.week && line.dayOfWeek === day,
        )}
        onAdd={(choice) => onAdd(here, choice)}
        onRemove={() => onRemove(here)}
      />
    )
  })

const WeekJump = ({ weeks }: { weeks: readonly CycleWeek[] }) => (
  <nav
    aria-label="Weeks"
    className="sticky top-0 z-10 -mx-4 -mb-4 flex gap-2 overflow-x-auto bg-page px-4 py-2"
  >
    {weeks.map(({ week }) => (
      <button
        key={week}
        type="button"
        onClick={() => document.getElementById(`week-${week}`)?.scrollIntoView({ behavior: 'smooth' })}
        className="min-h-9 flex-1 rounded-md border border-sand-300 bg-surface px-3 text-sm font-semibold whitespace-nowrap hover:bg-sand-100 sm:flex-none"
      >
        Week {week}
      </button>
    ))}
  </nav>
)
