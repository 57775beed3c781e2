import type { MenuItem } from '#contracts/catalogue'
import type { CycleWeek, OrderCycle } from '#contracts/cycles'
import { dayFace } from './day-face'
import type { DayFace, DayOrder, Eater, MenuDay } from './day-face'

/** A meal that is in the cart for a day. */
export type CartedMeal = {
  studentId: number
  weekNumber: number
  dayOfWeek: number
  menuItemId: number
  category: string | null
  sideDish: string | null
}

/** What the calendar is drawn from: the menu and the orders of everybody, and the cart of this device. */
export type MenuFacts = {
  items: readonly MenuItem[]
  orders: readonly DayOrder[]
  cart: readonly CartedMeal[]
}

/** A day with its face, and the meal of the cart when it is among those that can still be ordered. */
export type DayView = { day: MenuDay; face: DayFace; carted: CartedMeal | undefined; isToday: boolean }

/** The days of a week of the active cycle for one child. */
export const weekView = (
  cycle: OrderCycle,
  { week, days }: CycleWeek,
  eater: Eater,
  { items, orders, cart }: MenuFacts,
): DayView[] =>
  days.map(({ day, date, state }) => {
    const here = { cycleId: cycle.id, week, day, date, state }
    const face = dayFace(here, eater, items, orders)
    const carted = cart.find(
      (line) => line.studentId === eater.id && line.weekNumber === week && line.dayOfWeek === day,
    )
    return {
      day: here,
      face,
      carted: face.kind === 'meals' ? carted : undefined,
      isToday: date === cycle.today,
    }
  })

/** The days that can be ordered and are neither ordered nor in the cart, each with its meals. */
export type OpenDay = { day: MenuDay; items: readonly MenuItem[] }

export const openDays = (days: readonly DayView[]): OpenDay[] =>
  days.flatMap(({ day, face, carted }) =>
    face.kind === 'meals' && !carted ? [{ day, items: face.items }] : [],
  )
