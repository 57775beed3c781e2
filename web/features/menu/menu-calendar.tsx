import { useMemo, useState } from 'react'
import { flushSync } from 'react-dom'
import type { MenuItem } from '#contracts/catalogue'
import type { CycleWeek, OrderCycle } from '#contracts/cycles'
import type { MealMarks } from '#contracts/mark-words'
import { EmptyState } from '../../ui/empty-state'
import type { DayActs } from './day-card'
import type { DayOrder, Eater } from './day-content'
import { EarlierWeeks } from './earlier-weeks'
import { useFewLeft } from './few-left'
import { type CartedMeal, nothingLeft, standingOf, weekViews } from './menu-week'
import { useFolds } from './use-folds'
import { WeekDays } from './week-days'
import { WeekJump } from './week-jump'
import { WeekSection } from './week-section'

export type MenuCalendarProps = DayActs & {
  cycles: readonly OrderCycle[]
  items: readonly MenuItem[]
  orders: readonly DayOrder[]
  cart: readonly CartedMeal[]
  eater: Eater
  /** All children of the family, for whom a week is ordered at once. */
  eaters: readonly Eater[]
  /** What this child must not have, as far as it is known. */
  marks: MealMarks | undefined
  /** Asks to order the open days of a week for all children at once. */
  onPlan: (week: CycleWeek) => void
}

/** The weeks of the active cycle for one child. What is open is what the server says. */
export const MenuCalendar = ({ cycles, ...rest }: MenuCalendarProps) => {
  const cycle = cycles.find((one) => one.isActive)
  return cycle?.weeks?.length ? (
    // A new child is a new calendar: half-made choices of another one do not stay.
    <Weeks key={rest.eater.id} cycle={cycle} weeks={cycle.weeks} {...rest} />
  ) : (
    <EmptyState icon="calendar" title="No meals to order right now">
      There is no active order cycle. As soon as the tuckshop opens the next one, its menu is here.
    </EmptyState>
  )
}

type WeeksProps = Omit<MenuCalendarProps, 'cycles'> & { cycle: OrderCycle; weeks: readonly CycleWeek[] }

const Weeks = ({ cycle, weeks, items, orders, cart, eater, eaters, marks, onPlan, ...acts }: WeeksProps) => {
  const few = useFewLeft(weeks)
  const views = useMemo(() => weekViews(cycle, eater, items, orders), [cycle, eater, items, orders])
  const standings = views.map((days) => standingOf(days, eater, cart, few))
  const family = useMemo(
    () => eaters.map((one) => ({ one, views: weekViews(cycle, one, items, orders) })),
    [cycle, eaters, items, orders],
  )
  const isOpen = (at: number) =>
    family.some((member) => standingOf(member.views[at]!, member.one, cart, few).open > 0)
  const isDone = (_week: CycleWeek, at: number) => nothingLeft(weeks[at]!, views[at]!)
  const folds = useFolds(weeks, isDone)
  const [earlierShown, showEarlier] = useState(false)
  const jump = (week: number) => {
    // What is folded away is there to be scrolled to before anything scrolls.
    flushSync(() => {
      showEarlier(true)
      folds.set(week, false)
    })
    document.getElementById(`week-${week}`)?.scrollIntoView({ behavior: 'smooth' })
  }
  const sections = weeks.map((week, at) => (
    <WeekSection
      key={week.week}
      week={week}
      standing={standings[at]!}
      folds={isDone(week, at) || folds.isFolded(week)}
      folded={folds.isFolded(week)}
      onFold={(folded) => folds.set(week.week, folded)}
      onPlan={isOpen(at) ? () => onPlan(week) : null}
    >
      {folds.isDrawn(week) ? (
        <WeekDays views={views[at]!} eater={eater} cart={cart} few={few} marks={marks} {...acts} />
      ) : null}
    </WeekSection>
  ))
  // One week that is over is one line by itself.
  const earlier = folds.leading > 1 ? folds.leading : 0
  return (
    <div className="flex flex-col gap-3 md:gap-5">
      <WeekJump weeks={weeks} today={cycle.today ?? ''} onJump={jump} />
      {earlier > 0 ? (
        <EarlierWeeks
          weeks={weeks.slice(0, earlier)}
          shown={earlierShown}
          onShow={() => showEarlier(!earlierShown)}
        />
      ) : null}
      {sections.slice(earlierShown ? 0 : earlier)}
    </div>
  )
}
