import * as z from 'zod/mini'
import { grade } from '#contracts/identity'

/** A meal in the cart, as it is kept on this device (parent-and-teacher.md section 3). Prices have two decimals. */
export const cartItem = z.object({
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
export type OrderedDay = CartDay & { mealDate: string; cycleId: number; status: string }

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

export type PricedItem = {
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
