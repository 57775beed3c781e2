import type { MenuItem } from '#contracts/catalogue'
import type { OrderCycle } from '#contracts/cycles'
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

/** A day that can be ordered and is neither ordered nor in the cart, with its meals that are not sold out. */
export type OpenDay = { day: MenuDay; items: readonly MenuItem[] }

/** What of a week is done and what is not; the days that have no lunch count as neither. */
export type WeekStanding = { ordered: number; carted: number; open: OpenDay[] }

export const standingOf = (
  days: readonly DayView[],
  eater: Eater,
  cart: readonly CartedMeal[],
  few: Readonly<Record<string, FewLeft>>,
): WeekStanding => ({
  ordered: days.filter(({ content }) => content.kind === 'ordered').length,
  carted: days.filter((view) => cartedOn(view, eater, cart)).length,
  open: days
    .flatMap((view) =>
      view.content.kind === 'meals' && !cartedOn(view, eater, cart)
        ? [{ day: view.day, items: view.content.items.filter(({ id }) => few[view.day.date]?.[id] !== 0) }]
        : [],
    )
    .filter(({ items }) => items.length > 0),
})
