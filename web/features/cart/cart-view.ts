import type { validateItems } from '#contracts/catalogue'
import type { CycleWeek, DayState, OrderCycle } from '#contracts/cycles'
import type { ReplyOf } from '#contracts/endpoint'
import { dayAndMonth, dayName } from '../../lib/format'
import { type CartDay, type CartItem, pricedAs, type PricedItem } from './cart-items'

export type Validation = ReplyOf<typeof validateItems>

/** Names a cart day: the key of lists and of the server's messages. */
export const dayKey = ({ studentId, weekNumber, dayOfWeek, date }: CartDay): string =>
  `${studentId}.${date ?? `${weekNumber}.${dayOfWeek}`}`

/** The meals of one child in the cart, in the order of their days. */
export type CartGroup = { studentId: number; name: string; grade: string; items: CartItem[] }

const byDay = (one: CartItem, other: CartItem) =>
  one.weekNumber - other.weekNumber || one.dayOfWeek - other.dayOfWeek

export const groupByStudent = (items: readonly CartItem[]): CartGroup[] => {
  const groups = new Map<number, CartGroup>()
  for (const item of items) {
    const group = groups.get(item.studentId) ?? {
      studentId: item.studentId,
      name: item.student.name,
      grade: item.student.grade,
      items: [],
    }
    group.items.push(item)
    groups.set(item.studentId, group)
  }
  return [...groups.values()].map((group) => ({ ...group, items: group.items.toSorted(byDay) }))
}

/** The meals that the last validation named; none while there was no answer. Missing ones are named by id. */
export const unavailableItems = (
  items: readonly CartItem[],
  validation: Validation | undefined,
): CartItem[] => {
  if (!validation || validation.valid) return []
  const names = new Set([...validation.unavailable, ...validation.archived, ...validation.missing])
  return items.filter((item) => names.has(item.menuItem.name) || names.has(String(item.menuItemId)))
}

/** What the cycle that takes orders has on the week and day of a meal; undefined while that is not known. */
const cycleDayOf = (weeks: readonly CycleWeek[] | undefined, { weekNumber, dayOfWeek }: CartDay) =>
  weeks?.find(({ week }) => week === weekNumber)?.days.find(({ day }) => day === dayOfWeek)

const weeksOf = (cycles: readonly OrderCycle[] | undefined) => cycles?.find(({ isActive }) => isActive)?.weeks

/** The day of a meal written out: "Tuesday, 17 November"; its name alone while the date is not known. */
export const dayWords = (cycles: readonly OrderCycle[] | undefined, item: CartDay): string => {
  const date = item.date ?? cycleDayOf(weeksOf(cycles), item)?.date
  return date ? `${dayName(item.dayOfWeek)}, ${dayAndMonth(date)}` : dayName(item.dayOfWeek)
}

/**
 * Why this meal cannot be ordered for its day any more, in the server's words; undefined for an open or unknown day. A
 * meal stays on its date when a new cycle gives its week and day another one (days-and-changes.md section 1).
 */
export const closedWords = (cycles: readonly OrderCycle[] | undefined, item: CartDay): string | undefined => {
  const weeks = weeksOf(cycles)
  const day = cycleDayOf(weeks, item)
  if (weeks && item.date !== undefined && item.date !== day?.date)
    return 'This day is no longer on the calendar'
  return day && closed[day.state]
}

const closed: Partial<Record<DayState, string>> = {
  past: 'This day has passed',
  cutoff: "Today's orders have closed",
  blocked: 'The school is closed on this day',
}

/** The cart with the menu's prices of now; what the menu no longer has stays as it was. */
export const repriced = (items: readonly CartItem[], menu: readonly PricedItem[]): CartItem[] =>
  items.map((item) => {
    const now = menu.find(({ id }) => id === item.menuItemId)
    return now ? { ...item, ...pricedAs(now) } : item
  })
