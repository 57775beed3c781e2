import type { MenuItem } from '#contracts/catalogue'
import type { CycleWeek, OrderCycle } from '#contracts/cycles'
import type { FewLeft } from './few-left'
import { dayContent, type DayContent, type DayOrder, type Eater, type MenuDay } from './day-content'

/** A meal that is in the cart for a day. */
export type CartedMeal = {
  studentId: number
  weekNumber: number
  dayOfWeek: number
  menuItemId: number
  category: string | null
  sideDish: string | null
}

/** A day with its content. */
export type DayView = { day: MenuDay; content: DayContent; isToday: boolean }

/** The days of every week of the active cycle for one child, whatever is in the cart. */
export const weekViews = (
  cycle: OrderCycle | undefined,
  eater: Eater,
  items: readonly MenuItem[],
  orders: readonly DayOrder[],
): DayView[][] =>
  (cycle?.weeks ?? []).map(({ week, days }) =>
    days.map(({ day, date, state }) => {
      const here = { cycleId: cycle!.id, week, day, date, state }
      return { day: here, content: dayContent(here, eater, items, orders), isToday: date === cycle!.today }
    }),
  )

/** The meal of the cart for this day, where it can still be ordered. */
export const cartedOn = (
  { day, content }: DayView,
  eater: Eater,
  cart: readonly CartedMeal[],
): CartedMeal | undefined =>
  content.kind === 'meals'
    ? cart.find(
        (line) => line.studentId === eater.id && line.weekNumber === day.week && line.dayOfWeek === day.day,
      )
    : undefined

/** How many days of a week are ordered, in the cart, or neither with a meal that is not sold out. */
export type WeekStanding = { ordered: number; carted: number; open: number }

export const standingOf = (
  days: readonly DayView[],
  eater: Eater,
  cart: readonly CartedMeal[],
  few: Readonly<Record<string, FewLeft>>,
): WeekStanding => ({
  ordered: days.filter(({ content }) => content.kind === 'ordered').length,
  carted: days.filter((view) => cartedOn(view, eater, cart)).length,
  open: days.filter(
    (view) =>
      view.content.kind === 'meals' &&
      !cartedOn(view, eater, cart) &&
      view.content.items.some(({ id }) => few[view.day.date]?.[id] !== 0),
  ).length,
})

/** A week that is over, or of which every day that is not closed is ordered. */
export const nothingLeft = ({ completed }: CycleWeek, days: readonly DayView[]): boolean =>
  completed ||
  (days.some(({ content }) => content.kind === 'ordered') &&
    days.every(({ content }) => content.kind === 'ordered' || content.kind === 'closed'))
