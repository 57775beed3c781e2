import * as z from 'zod/mini'
import { safeParse } from 'zod/mini'
import { grade } from '#contracts/identity'
import type { validateItems } from '#contracts/catalogue'
import type { CycleWeek, DayState, OrderCycle } from '#contracts/cycles'
import type { ReplyOf } from '#contracts/endpoint'
import { dayAndMonth, dayName } from '../../lib/format'
import {
  readDevice,
  removeFromDevice,
  writeDevice,
  isInMemoryOnly,
  subscribeToDevice,
} from '../../lib/device-storage'
import { useSyncExternalStore } from 'react'

/** A meal in the cart, as it is kept on this device (parent-and-teacher.md section 3). Prices have two decimals. */
const cartItem = z.object({
  menuItemId: z.number(),
  menuItem: z.object({
    id: z.number(),
    name: z.string(),
    price: z.string(),
    discountPrice: z.optional(z.string()),
    imageUrl: z.optional(z.nullable(z.string())),
  }),
  weekNumber: z.number(),
  dayOfWeek: z.number(),
  /** What week and day meant when the meal was chosen; absent in carts from before that was kept. */
  date: z.optional(z.string()),
  cycleId: z.optional(z.number()),
  studentId: z.number(),
  student: z.object({ id: z.number(), name: z.string(), grade }),
  category: z.nullable(z.string()),
  sideDish: z.nullable(z.string()),
  comments: z.string(),
  /** The buyer was asked about what is in it and wants it all the same; what that is, is not kept here. */
  acknowledged: z.optional(z.boolean()),
  discountedPrice: z.optional(z.number()),
  discountPercentage: z.optional(z.number()),
})
export type CartItem = z.infer<typeof cartItem>

/** One child's lunch on one day: what the cart holds at most once. */
export type CartDay = { studentId: number; weekNumber: number; dayOfWeek: number; date?: string | undefined }

/** By date where both have one: the same week and day may be those of two cycles. */
export const isSameDay = (one: CartDay, other: CartDay): boolean =>
  one.studentId === other.studentId &&
  (one.date !== undefined && other.date !== undefined
    ? one.date === other.date
    : one.weekNumber === other.weekNumber && one.dayOfWeek === other.dayOfWeek)

export const holdsDay = (items: readonly CartItem[], day: CartDay): boolean =>
  items.some((item) => isSameDay(item, day))

export const withoutDay = (items: readonly CartItem[], day: CartDay): CartItem[] =>
  items.filter((item) => !isSameDay(item, day))

/** As much of an order as decides whether its day can still be in a cart. */
type OrderedDay = CartDay & { mealDate: string; cycleId: number; status: string }

/** The cart without the days that are ordered already, in whichever cycle; a meal without a date is of `cycleId`. */
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

/** The price to pay for one meal, in kwacha. */
export const priceOf = (item: CartItem): number => item.discountedPrice ?? Number(item.menuItem.price)

/** The sum of the prices to pay, in kwacha with whole ngwee. */
export const totalOf = (items: readonly CartItem[]): number =>
  items.reduce((sum, item) => sum + ngweeOf(priceOf(item)), 0) / 100

/** How much of this balance pays for the cart, and what is left to pay; in kwacha. */
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
}

const twoDecimals = (price: string) => Number(price).toFixed(2)

/** The part of a cart item that the menu decides: name, picture and prices as they are now. */
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
  },
  discountedPrice: item.discountPrice === undefined ? undefined : Number(twoDecimals(item.discountPrice)),
  discountPercentage: item.discountPercentage,
})

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

/** Where this user's cart lies in the browser's local storage. */
export const cartKey = (userId: number): string => `tuckshop-cart-${userId}`

/** Where the sending of that cart lies until it is answered. */
export const attemptKey = (userId: number): string => `${cartKey(userId)}-attempt`

const known = new Map<string, { text: string | null; items: readonly CartItem[] }>()

/** The cart as stored; the same array as long as the storage holds the same text. What is not a meal is left out. */
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

/** Stores the cart and notifies everybody on this page; the browser notifies other tabs. A changed cart is sent again. */
export const writeCart = (userId: number, items: readonly CartItem[]): void => {
  removeFromDevice(attemptKey(userId))
  writeDevice(cartKey(userId), JSON.stringify(items))
}

export type Cart = {
  items: readonly CartItem[]
  /** The browser stores nothing here: the cart is lost when the page is closed. */
  isInMemoryOnly: boolean
  add: (item: CartItem) => void
  remove: (day: CartDay) => void
  setComments: (day: CartDay, comments: string) => void
  /** Somebody was asked about what is in this meal and wants it. */
  acknowledge: (day: CartDay) => void
  /** Changes the cart as it is now, which another tab may have changed since it was drawn. */
  update: (change: (items: readonly CartItem[]) => readonly CartItem[]) => void
  clear: () => void
}

/** The cart of this user on this device, the same on every screen and in every tab. */
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
