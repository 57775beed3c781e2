import { useSyncExternalStore } from 'react'
import * as z from 'zod/mini'
import { safeParse } from 'zod/mini'
import type { validateItems } from '#contracts/catalogue'
import { closureFor, type CycleWeek, type DayState, type OrderCycle } from '#contracts/cycles'
import { pricedFor, type myDiscounts } from '#contracts/discounts'
import type { ReplyOf } from '#contracts/endpoint'
import { grade } from '#contracts/identity'
import {
  readDevice,
  removeFromDevice,
  writeDevice,
  isInMemoryOnly,
  subscribeToDevice,
} from '../../lib/device-storage'
import { dayAndMonth, dayName } from '../../lib/format'
import { cartKey } from '../../queries/cart-here'
import { cutoffOfDish, isBeforeCutoff, pastCutoffText } from '../../queries/cycles'

/** As stored on this device (parent-and-teacher.md section 3). Prices have two decimals. */
const cartItem = z.object({
  menuItemId: z.number(),
  menuItem: z.object({
    id: z.number(),
    name: z.string(),
    price: z.string(),
    discountPrice: z.optional(z.string()),
    imageUrl: z.optional(z.nullable(z.string())),
    leadDays: z.optional(z.number()),
  }),
  weekNumber: z.number(),
  dayOfWeek: z.number(),
  /** The date of week and day when chosen; absent in old carts. */
  date: z.optional(z.string()),
  cycleId: z.optional(z.number()),
  studentId: z.number(),
  student: z.object({
    id: z.number(),
    name: z.string(),
    grade,
    class: z.optional(z.nullable(z.string())),
  }),
  category: z.nullable(z.string()),
  sideDish: z.nullable(z.string()),
  comments: z.string(),
  /** The buyer confirmed an allergen or a diet; which one is not stored. */
  acknowledged: z.optional(z.boolean()),
  discountedPrice: z.optional(z.number()),
  discountPercentage: z.optional(z.number()),
})
export type CartItem = z.infer<typeof cartItem>

export type CartDay = { studentId: number; weekNumber: number; dayOfWeek: number; date?: string | undefined }

/** By date if both have one: week and day may belong to two cycles. */
export const isSameDay = (one: CartDay, other: CartDay): boolean =>
  one.studentId === other.studentId &&
  (one.date !== undefined && other.date !== undefined
    ? one.date === other.date
    : one.weekNumber === other.weekNumber && one.dayOfWeek === other.dayOfWeek)

export const holdsDay = (items: readonly CartItem[], day: CartDay): boolean =>
  items.some((item) => isSameDay(item, day))

export const withoutDay = (items: readonly CartItem[], day: CartDay): CartItem[] =>
  items.filter((item) => !isSameDay(item, day))

/** Order fields that decide whether a day may stay in a cart. */
type OrderedDay = CartDay & { mealDate: string; cycleId: number; status: string }

/** Removes days already ordered in any cycle; a meal without a date is of `cycleId`. */
export const withoutOrdered = (
  items: readonly CartItem[],
  orders: readonly OrderedDay[],
  cycleId: number,
): readonly CartItem[] => {
  const live = orders.filter(({ status }) => status === 'pending' || status === 'completed')
  const isOrdered = (item: CartItem) =>
    live.some(
      (order) =>
        (item.date !== undefined || order.cycleId === cycleId) &&
        isSameDay({ ...order, date: order.mealDate }, item),
    )
  const left = items.filter((item) => !isOrdered(item))
  return left.length < items.length ? left : items
}

const ngweeOf = (kwacha: number | string) => Math.round(Number(kwacha) * 100)

export const priceOf = (item: CartItem): number => item.discountedPrice ?? Number(item.menuItem.price)

/** In kwacha with whole ngwee. */
export const totalOf = (items: readonly CartItem[]): number =>
  items.reduce((sum, item) => sum + ngweeOf(priceOf(item)), 0) / 100

/** In kwacha. */
export const paidByCredit = (total: number, balance: number): { used: number; left: number } => {
  const used = Math.min(total, balance)
  return { used, left: (ngweeOf(total) - ngweeOf(used)) / 100 }
}

type PricedItem = {
  id: number
  name: string
  price: string
  discountPrice?: string
  discountPercentage?: number
  imageUrl?: string | null
  leadDays?: number
}

const twoDecimals = (price: string) => Number(price).toFixed(2)

export const pricedAs = (
  item: PricedItem,
): Pick<CartItem, 'menuItemId' | 'menuItem'> & Partial<CartItem> => ({
  menuItemId: item.id,
  menuItem: {
    id: item.id,
    name: item.name,
    price: twoDecimals(item.price),
    ...(item.discountPrice === undefined ? {} : { discountPrice: twoDecimals(item.discountPrice) }),
    ...(item.imageUrl ? { imageUrl: item.imageUrl } : {}),
    ...(item.leadDays ? { leadDays: item.leadDays } : {}),
  },
  discountedPrice: item.discountPrice === undefined ? undefined : Number(twoDecimals(item.discountPrice)),
  discountPercentage: item.discountPercentage,
})

export type Validation = ReplyOf<typeof validateItems>

/** Key of lists and server messages. */
export const dayKey = ({ studentId, weekNumber, dayOfWeek, date }: CartDay): string =>
  `${studentId}.${date ?? `${weekNumber}.${dayOfWeek}`}`

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

export const unavailableItems = (
  items: readonly CartItem[],
  validation: Validation | undefined,
): CartItem[] => {
  if (!validation || validation.valid) return []
  const names = new Set([...validation.unavailable, ...validation.archived, ...validation.missing])
  return items.filter((item) => names.has(item.menuItem.name) || names.has(String(item.menuItemId)))
}

/** Undefined while unknown. */
const cycleDayOf = (weeks: readonly CycleWeek[] | undefined, { weekNumber, dayOfWeek }: CartDay) =>
  weeks?.find(({ week }) => week === weekNumber)?.days.find(({ day }) => day === dayOfWeek)

const activeOf = (cycles: readonly OrderCycle[] | undefined) => cycles?.find(({ isActive }) => isActive)

/** "Tuesday, 17 November", or the weekday while the date is unknown. */
export const dayText = (cycles: readonly OrderCycle[] | undefined, item: CartDay): string => {
  const date = item.date ?? cycleDayOf(activeOf(cycles)?.weeks, item)?.date
  return date ? `${dayName(item.dayOfWeek)}, ${dayAndMonth(date)}` : dayName(item.dayOfWeek)
}

type CartMeal = CartDay & Pick<CartItem, 'student'> & { menuItem: Pick<CartItem['menuItem'], 'leadDays'> }

/**
 * The server's reason why a day is closed for the child; undefined if open or unknown. A meal keeps its date when a new cycle moves its week and day
 * (days-and-changes.md section 1).
 */
export const closedText = (cycles: readonly OrderCycle[] | undefined, item: CartMeal): string | undefined => {
  const { weeks, closedFor = [] } = activeOf(cycles) ?? {}
  const day = cycleDayOf(weeks, item)
  if (weeks && item.date !== undefined && item.date !== day?.date)
    return 'This day is no longer on the calendar'
  if (!day || day.state === 'past') return day && closed.past
  const reason = day.reason ?? closureFor(closedFor, day.date, item.student)?.reason
  if (reason !== undefined) return `School Closed: ${reason}`
  const { leadDays = 0 } = item.menuItem
  return day.state === 'cutoff' || !isBeforeCutoff(day, leadDays)
    ? pastCutoffText({ ...day, cutoffAt: cutoffOfDish(day, leadDays) })
    : closed[day.state]
}

const closed: Partial<Record<DayState, string>> = {
  past: 'This day has passed',
  blocked: 'The school is closed on this day',
}

/** The date whose cutoff comes first among meals that cost something; undefined while unknown. */
export const firstCutoff = (cycles: readonly OrderCycle[] | undefined, items: readonly CartItem[]) =>
  items
    .filter((item) => priceOf(item) > 0)
    .flatMap((item) => {
      const day = cycleDayOf(activeOf(cycles)?.weeks, item)
      return day ? { ...day, cutoffAt: cutoffOfDish(day, item.menuItem.leadDays ?? 0) } : []
    })
    .toSorted((one, other) => one.cutoffAt.localeCompare(other.cutoffAt))[0]

/** Each child's current prices; items off the menu stay as they were. */
export const repriced = (
  items: readonly CartItem[],
  menu: readonly PricedItem[],
  { children }: Pick<ReplyOf<typeof myDiscounts>, 'children'>,
): CartItem[] =>
  items.map((item) => {
    const now = menu.find(({ id }) => id === item.menuItemId)
    const own = children.find(({ studentId }) => studentId === item.studentId)
    return now ? { ...item, ...pricedAs(pricedFor(now, own?.discountPercentage ?? 0)) } : item
  })

export const attemptKey = (userId: number): string => `${cartKey(userId)}-attempt`

const known = new Map<string, { text: string | null; items: readonly CartItem[] }>()

/** The same array while the stored text is the same. Drops entries that are no meals. */
export const readCart = (userId: number): readonly CartItem[] => {
  const key = cartKey(userId)
  const text = readDevice(key)
  const before = known.get(key)
  if (before && before.text === text) return before.items
  const items = parsed(text)
  known.set(key, { text, items })
  return items
}

const parsed = (text: string | null): CartItem[] => {
  try {
    const stored: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(stored) ? stored.flatMap((item) => safeParse(cartItem, item).data ?? []) : []
  } catch {
    return []
  }
}

/** Notifies this page; the browser notifies other tabs. A changed cart gets a new attempt. */
export const writeCart = (userId: number, items: readonly CartItem[]): void => {
  removeFromDevice(attemptKey(userId))
  writeDevice(cartKey(userId), JSON.stringify(items))
}

export type Cart = {
  items: readonly CartItem[]
  /** The browser refuses storage: the cart is lost with the page. */
  isInMemoryOnly: boolean
  add: (item: CartItem) => void
  remove: (day: CartDay) => void
  setComments: (day: CartDay, comments: string) => void
  /** The buyer confirmed what speaks against the meal. */
  acknowledge: (day: CartDay) => void
  /** Applies to the present cart, which another tab may have changed. */
  update: (change: (items: readonly CartItem[]) => readonly CartItem[]) => void
  clear: () => void
}

/** Shared by all screens and tabs. */
export const useCart = (userId: number): Cart => {
  const items = useSyncExternalStore(subscribeToDevice, () => readCart(userId))
  const inMemory = useSyncExternalStore(subscribeToDevice, () => isInMemoryOnly(cartKey(userId)))
  const update: Cart['update'] = (change) => writeCart(userId, change(readCart(userId)))
  return {
    items,
    isInMemoryOnly: inMemory,
    update,
    add: (item) => update((now) => [...withoutDay(now, item), item]),
    remove: (day) => update((now) => withoutDay(now, day)),
    setComments: (day, comments) =>
      update((now) => now.map((item) => (isSameDay(item, day) ? { ...item, comments } : item))),
    acknowledge: (day) =>
      update((now) => now.map((item) => (isSameDay(item, day) ? { ...item, acknowledged: true } : item))),
    clear: () => update(() => []),
  }
}
