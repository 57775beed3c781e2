import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type MenuItem, listPortions } from '#contracts/catalogue'
import { closureFor, type CycleWeek, type OrderCycle, type DayState } from '#contracts/cycles'
import { pricedFor } from '#contracts/discounts'
import type { Grade } from '#contracts/identity'
import { endpointQuery } from '../../lib/endpoint-query'
import { cutoffOfDish, cutoffText, isBeforeCutoff, pastCutoffText } from '../../queries/cycles'
import { mealMarksQuery } from '../../queries/identity'
import { orderingRulesQuery } from '../../queries/ordering'

/** A meal that is in the cart for a day. */
export type CartedMeal = {
  studentId: number
  weekNumber: number
  dayOfWeek: number
  menuItemId: number
  category: string | null
  sideDish: string | null
}

export type DayView = { day: MenuDay; content: DayContent; isToday: boolean }

/** Independent of the cart. */
export const weekViews = (
  cycle: OrderCycle | undefined,
  eater: Eater,
  items: readonly MenuItem[],
  orders: readonly DayOrder[],
): DayView[][] =>
  (cycle?.weeks ?? []).map(({ week, days }) =>
    days.map(({ day, date, state, reason, ...closing }) => {
      const closed = reason ?? closureFor(cycle!.closedFor ?? [], date, eater)?.reason
      const here = { cycleId: cycle!.id, week, day, date, state, ...closing, closed }
      return { day: here, content: dayContent(here, eater, items, orders), isToday: date === cycle!.today }
    }),
  )

/** Undefined if it can no longer be ordered. */
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

export type WeekTotals = { ordered: number; carted: number; open: number }

export const countDays = (
  days: readonly DayView[],
  eater: Eater,
  cart: readonly CartedMeal[],
  few: Readonly<Record<string, RemainingPortions>>,
): WeekTotals => ({
  ordered: days.filter(({ content }) => content.kind === 'ordered').length,
  carted: days.filter((view) => cartedOn(view, eater, cart)).length,
  open: days.filter(
    (view) =>
      view.content.kind === 'meals' &&
      !cartedOn(view, eater, cart) &&
      view.content.items.some(({ id }) => few[view.day.date]?.[id] !== 0),
  ).length,
})

/** Over, or every open day ordered. */
export const isWeekDone = ({ completed }: CycleWeek, days: readonly DayView[]): boolean =>
  completed ||
  (days.some(({ content }) => content.kind === 'ordered') &&
    days.every(({ content }) => content.kind === 'ordered' || content.kind === 'closed'))

/** `discountPercentage` is undefined where the prices of the menu are the child's. */
export type Eater = {
  id: number
  name: string
  grade: Grade
  class?: string | null
  discountPercentage?: number | undefined
}

export type MenuDay = Pick<
  CycleWeek['days'][number],
  'day' | 'date' | 'state' | 'cutoffAt' | 'earlierCutoffs' | 'openLeadDays'
> & {
  cycleId: number
  week: number
  /** Why the school closed the day for this child. */
  closed?: string | undefined
}

export type DayOrder = {
  id: string
  mealDate: string
  studentId: number
  student: { grade: Grade }
  menuItem: { name: string }
  category: string | null
  sideDish: string | null
  status: string
}

export type DayContent =
  | { kind: 'ordered'; title: 'Order Pending' | 'Order Confirmed'; order: DayOrder }
  | { kind: 'closed'; why: string }
  | { kind: 'meals'; items: MenuItem[] }
  | { kind: 'empty' }

const secondaryGrades: readonly Grade[] = ['6', '7', '8', '9', '10', '11', '12', 'teacher']
const closedText: Record<Exclude<DayState, 'open' | 'cutoff'>, string> = {
  blocked: 'No school lunch on this day',
  past: 'This day has passed',
}

/** parent-and-teacher.md sections 2 and 4. */
export const dayContent = (
  day: MenuDay,
  eater: Eater,
  items: readonly MenuItem[],
  orders: readonly DayOrder[],
): DayContent => {
  const order = orders.find((one) => isOrderOf(one, day, eater))
  if (order)
    return {
      kind: 'ordered',
      title: order.status === 'completed' ? 'Order Confirmed' : 'Order Pending',
      order,
    }
  if (day.closed !== undefined && day.state !== 'past') return { kind: 'closed', why: day.closed }
  if (day.state === 'cutoff') return { kind: 'closed', why: pastCutoffText(day) }
  if (day.state !== 'open') return { kind: 'closed', why: closedText[day.state] }
  const offered = offeredOn(day, eater, items)
  const open = offered.filter(({ leadDays }) => isBeforeCutoff(day, leadDays))
  if (open.length > 0) return { kind: 'meals', items: open }
  if (offered.length === 0) return { kind: 'empty' }
  const last = Math.min(...offered.map(({ leadDays }) => leadDays))
  return { kind: 'closed', why: pastCutoffText({ ...day, cutoffAt: cutoffOfDish(day, last) }) }
}

/** "Friday 08:00": of the dish that can be ordered longest. */
export const orderUntil = ({ day, content }: DayView): string => {
  const leads = content.kind === 'meals' ? content.items.map(({ leadDays }) => leadDays) : [0]
  return cutoffText({ ...day, cutoffAt: cutoffOfDish(day, Math.min(...leads)) })
}

const isOrderOf = (order: DayOrder, day: MenuDay, eater: Eater) =>
  isActive(order) && order.mealDate === day.date && isFor(eater, order)

export const isActive = ({ status }: DayOrder): boolean => status === 'pending' || status === 'completed'

export const isFor = (eater: Eater, order: DayOrder): boolean =>
  eater.grade === 'teacher' ? order.student.grade === 'teacher' : order.studentId === eater.id

/** Without cancelled ones. */
export const ordersOf = <Order extends DayOrder>(eater: Eater, orders: readonly Order[]): Order[] =>
  orders.filter((order) => isActive(order) && isFor(eater, order))

export const offeredOn = (day: MenuDay, eater: Eater, items: readonly MenuItem[]): MenuItem[] =>
  items
    .filter(
      (item) =>
        item.isAvailable &&
        !item.isArchived &&
        item.type === (secondaryGrades.includes(eater.grade) ? 'secondary' : 'primary') &&
        item.weekNumbers.includes(day.week) &&
        item.daysOfWeek.includes(day.day),
    )
    .map((item) => pricedFor(item, eater.discountPercentage ?? 0))

/** None for teachers. */
export const sidesFor = (item: MenuItem, eater: Eater): string[] =>
  eater.grade === 'teacher' ? [] : item.sideDishes

/** Only low numbers; 0: sold out. */
export type RemainingPortions = Readonly<Record<number, number>>

/** By date. Empty while unknown: the server refuses sold-out meals. */
export const useRemainingPortions = (
  weeks: readonly CycleWeek[],
): Readonly<Record<string, RemainingPortions>> => {
  const portions = useQuery(portionsQuery(weeks[0]?.startDate, weeks.at(-1)?.endDate)).data
  const low = useQuery(orderingRulesQuery).data?.lowPortions ?? 0
  return useMemo(() => {
    const few: Record<string, Record<number, number>> = {}
    for (const { date, menuItemId, left } of portions?.data ?? [])
      if (left === 0 || left < low) few[date] = { ...few[date], [menuItemId]: left }
    return few
  }, [portions, low])
}

/** Portions of limited meals in a range; refetched on focus and reconnect, as others' orders change it. */
const portionsQuery = (from: string | undefined, to: string | undefined) => ({
  ...endpointQuery('ordering', listPortions, { query: { from: from ?? '', to: to ?? '' } }),
  enabled: from !== undefined && to !== undefined,
  staleTime: 30_000,
  refetchOnWindowFocus: 'always' as const,
  refetchOnReconnect: 'always' as const,
})

/** Never in browser storage. Refetched on focus and reconnect. */
export const menuMarksQuery = {
  ...mealMarksQuery,
  refetchOnWindowFocus: 'always' as const,
  refetchOnReconnect: 'always' as const,
}
