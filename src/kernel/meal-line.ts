import { z } from 'zod'
import { rowId, slotKey, type Lunch } from './id'
import { ngwee, type Ngwee } from './money'

/**
 * One meal of a checkout as it was when the cart was handed in: whose lunch, which day, what, for how much.
 * The snapshot wins over later changes of names, prices and discounts (payments.md section 8 rule 15).
 * `index` is the line's place in the cart, `cutoffAt` the instant from which the day took no more orders.
 */
export const mealLine = z.strictObject({
  index: z.int().nonnegative(),
  slot: slotKey,
  student: z.strictObject({ name: z.string(), grade: z.string() }),
  item: z.strictObject({ id: rowId, name: z.string(), type: z.enum(['primary', 'secondary']) }),
  category: z.string().nullable(),
  sideDish: z.string().nullable(),
  comments: z.string().max(500),
  originalPrice: ngwee,
  price: ngwee,
  /** What of the price the family's credit pays; absent for nothing. */
  credit: z.optional(ngwee),
  discountPercentage: z.number().min(0).max(100),
  /** Somebody was asked about an allergen of the child's in it, and orders it all the same; which, is not told. */
  acknowledged: z.literal(true).optional(),
  /** Only so many portions are cooked of it: one that nobody pays for in time goes to somebody else. */
  limited: z.literal(true).optional(),
  mealDate: z.iso.date(),
  cutoffAt: z.iso.datetime(),
})
export type MealLine = z.infer<typeof mealLine>

/** What of a line's price is to be paid with money. */
export const moneyOf = ({ price, credit = 0 }: Pick<MealLine, 'price' | 'credit'>): Ngwee => price - credit

/** How long a portion of a limited item is kept for a meal that is paid for outside of the card provider. */
export const unpaidPortionMinutes = 30

/** Until when an unpaid meal that took its portion `since` then keeps it; null: it has no limit, or its orders close before. */
export const portionKeptUntil = (
  { limited, cutoffAt }: Pick<MealLine, 'limited' | 'cutoffAt'>,
  since: string,
): string | null => {
  const until = Date.parse(since) + unpaidPortionMinutes * 60_000
  return limited && until < Date.parse(cutoffAt) ? new Date(until).toISOString() : null
}

/** The lunch that a line is about. */
export const lunchOf = ({ slot, mealDate }: Pick<MealLine, 'slot' | 'mealDate'>): Lunch => ({
  studentId: slot.studentId,
  date: mealDate,
})
