import { useMemo, useState, useEffect } from 'react'
import { flushSync } from 'react-dom'
import type { MenuItem } from '#contracts/catalogue'
import type { CycleWeek, OrderCycle } from '#contracts/cycles'
import type { MealMarks } from '#contracts/health'
import { classes } from '../../lib/classes'
import { afterPaint } from '../../lib/use-time'
import { Badge } from '../../ui/badge'
import { Icon } from '../../ui/icon'
import { EmptyState } from '../../ui/query-result'
import type { DayActs } from './day-card'
import {
  type DayOrder,
  type Eater,
  useRemainingPortions,
  type CartedMeal,
  isWeekDone,
  countDays,
  weekViews,
} from './menu-week'
import { useOnlyWhatFits } from './only-what-fits'
import { WeekDays, WeekSection } from './week-section'

type MenuCalendarProps = DayActs & {
  cycles: readonly OrderCycle[]
  items: readonly MenuItem[]
  orders: readonly DayOrder[]
  cart: readonly CartedMeal[]
  eater: Eater
  eaters: readonly Eater[]
  /** Undefined while unknown. */
  marks: MealMarks | undefined
  /** Plans a week's open days for all children. */
  onPlan: (week: CycleWeek) => void
}

/** Open days are the server's. */
export const MenuCalendar = ({ cycles, ...rest }: MenuCalendarProps) => {
  const cycle = cycles.find((one) => one.isActive)
  return cycle?.weeks?.length ? (
    // A new child resets unfinished choices.
    <Weeks key={rest.eater.id} cycle={cycle} weeks={cycle.weeks} {...rest} />
  ) : (
    <EmptyState icon="calendar" title="No meals to order right now">
      There is no active order cycle. As soon as the tuckshop opens the next one, its menu is here.
    </EmptyState>
  )
}

type WeeksProps = Omit<MenuCalendarProps, 'cycles'> & { cycle: OrderCycle; weeks: readonly CycleWeek[] }

const Weeks = ({ cycle, weeks, items, orders, cart, eater, eaters, marks, onPlan, ...acts }: WeeksProps) => {
  const few = useRemainingPortions(weeks)
  const fitting = useOnlyWhatFits(items, eater, marks)
  const views = useMemo(
    () => weekViews(cycle, eater, fitting.shown, orders),
    [cycle, eater, fitting.shown, orders],
  )
  const standings = views.map((days) => countDays(days, eater, cart, few))
  const family = useMemo(
    () => eaters.map((one) => ({ one, views: weekViews(cycle, one, items, orders) })),
    [cycle, eaters, items, orders],
  )
  const isOpen = (at: number) =>
    family.some((member) => countDays(member.views[at]!, member.one, cart, few).open > 0)
  const isDone = (_week: CycleWeek, at: number) => isWeekDone(weeks[at]!, views[at]!)
  const folds = useFolds(weeks, isDone)
  const [earlierShown, showEarlier] = useState(false)
  const jump = (week: number) => {
    // Renders folded weeks before scrolling.
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
  // A single past week needs no group.
  const earlier = folds.leading > 1 ? folds.leading : 0
  return (
    <div className="flex flex-col gap-3 md:gap-5">
      <WeekJump weeks={weeks} today={cycle.today ?? ''} onJump={jump} />
      {fitting.choice}
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

type WeekJumpProps = { weeks: readonly CycleWeek[]; today: string; onJump: (week: number) => void }

/** Marks the current week. */
const WeekJump = ({ weeks, today, onJump }: WeekJumpProps) => (
  <nav
    aria-label="Weeks"
    className="side-scroll sticky top-0 z-10 -mx-4 flex gap-2 overflow-x-auto bg-page px-4 py-1 md:py-2"
  >
    {weeks.map(({ week, startDate, endDate }) => {
      const isNow = startDate <= today && today <= endDate
      return (
        <button
          key={week}
          type="button"
          aria-current={isNow ? 'date' : undefined}
          onClick={() => onJump(week)}
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

type EarlierWeeksProps = { weeks: readonly CycleWeek[]; shown: boolean; onShow: () => void }

/** One line for leading weeks without open days. */
const EarlierWeeks = ({ weeks, shown, onShow }: EarlierWeeksProps) => (
  <button
    type="button"
    aria-expanded={shown}
    onClick={onShow}
    className="flex min-h-11 flex-wrap items-center gap-x-3 rounded-md border-b border-line text-left"
  >
    <span className="flex-1 font-display text-lg leading-tight font-semibold sm:flex-none">
      Weeks {weeks[0]!.week} – {weeks.at(-1)!.week}
    </span>
    <span className="sm:flex-1">
      <Badge icon="check">
        {weeks.every(({ completed }) => completed) ? 'Completed' : 'Nothing left to order'}
      </Badge>
    </span>
    <Icon name={shown ? 'chevron-up' : 'chevron-down'} className="text-muted" />
  </button>
)

/** Which weeks of a calendar are folded, and which of the others are drawn by now. */
type Folds = {
  isFolded: (week: CycleWeek) => boolean
  isDrawn: (week: CycleWeek) => boolean
  set: (week: number, folded: boolean) => void
  /** Leading weeks folded at first. */
  leading: number
}

/**
 * Completed weeks start folded and stay; a week completed later stays open, so nothing jumps. Weeks render one after another: all at once
 * blocked a cheap phone for half a second.
 */
const useFolds = (weeks: readonly CycleWeek[], isDone: (week: CycleWeek, at: number) => boolean): Folds => {
  const [byHand, setByHand] = useState<Readonly<Record<number, boolean>>>({})
  const [doneAtFirst] = useState(() => weeks.filter(isDone).map(({ week }) => week))
  const open = weeks.map(({ week }) => week).filter((week) => !doneAtFirst.includes(week))
  const [drawn, setDrawn] = useState(1)
  useEffect(
    () => (drawn < open.length ? afterPaint(() => setDrawn(drawn + 1)) : undefined),
    [drawn, open.length],
  )
  const isFolded = ({ week }: CycleWeek) => byHand[week] ?? doneAtFirst.includes(week)
  const first = weeks.findIndex(({ week }) => week === open[0])
  return {
    isFolded,
    isDrawn: (week) => !isFolded(week) && !open.slice(drawn).includes(week.week),
    set: (week, folded) => setByHand((before) => ({ ...before, [week]: folded })),
    leading: first === -1 ? weeks.length : first,
  }
}
