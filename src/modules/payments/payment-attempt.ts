import { z } from 'zod'
import { lineRefusals } from '#contracts/ordering'
import { eventReader, eventType } from '#kernel/event'
import type { EventOf } from '#kernel/event'
import { orderId, rowId, slotKey } from '#kernel/id'
import { ngwee } from '#kernel/money'

const at = z.iso.datetime()
const attemptId = z.uuid()

/** One meal of the checkout, priced and dated when the cart was handed in; the snapshot wins over later changes. */
const attemptLine = z.strictObject({
  index: z.int().nonnegative(),
  slot: slotKey,
  student: z.strictObject({ name: z.string(), grade: z.string() }),
  item: z.strictObject({ id: rowId, name: z.string(), type: z.enum(['primary', 'secondary']) }),
  category: z.string().nullable(),
  sideDish: z.string().nullable(),
  comments: z.string(),
  originalPrice: ngwee,
  price: ngwee,
  discountPercentage: z.number(),
  mealDate: z.iso.date(),
  cutoffAt: at,
})
export type AttemptLine = z.infer<typeof attemptLine>

const checkout = z.strictObject({
  attemptId,
  kind: z.enum(['card', 'free', 'alternative']),
  userId: rowId,
  lines: z.array(attemptLine).min(1),
  total: ngwee,
  /** The reference that provider and parent know the attempt by; a free one has none. */
  companyRef: z.string().nullable(),
  /** Hash of the request that began it: the same Idempotency-Key with another body is refused. */
  bodyHash: z.string(),
  at,
})
export type Checkout = z.infer<typeof checkout>

const refusedLines = z
  .array(z.strictObject({ index: z.int().nonnegative(), code: z.enum(lineRefusals) }))
  .min(1)
const lineOrders = z.array(z.strictObject({ index: z.int().nonnegative(), orderId })).min(1)

export const checkoutStarted = eventType('payments.checkout-started.v1', checkout)
export const ordersCreated = eventType(
  'payments.orders-created.v1',
  z.strictObject({ attemptId, orders: lineOrders, at }),
)
/** A day of the checkout went to somebody else before it was complete: none of its lines will be an order. */
export const checkoutRefused = eventType(
  'payments.checkout-refused.v1',
  z.strictObject({ attemptId, lines: refusedLines, at }),
)
/** Nothing of a refused checkout holds a day any more. */
export const linesReleased = eventType('payments.lines-released.v1', z.strictObject({ attemptId, at }))

export const readAttemptEvent = eventReader(checkoutStarted, ordersCreated, checkoutRefused, linesReleased)

export type AttemptEvent = EventOf<
  typeof checkoutStarted | typeof ordersCreated | typeof checkoutRefused | typeof linesReleased
>

export type RefusedLine = z.infer<typeof refusedLines>[number]
export type LineOrder = z.infer<typeof lineOrders>[number]

/**
 * One checkout and what became of it (payments.md section 5). `draft`: begun, its orders not yet all recorded.
 * `releasing`: refused, its lines being taken back. `refused` and `fulfilled` are the ends.
 */
export type PaymentAttempt =
  | { status: 'none' }
  | { status: 'draft'; checkout: Checkout }
  | { status: 'releasing'; checkout: Checkout; refused: RefusedLine[] }
  | { status: 'refused'; checkout: Checkout; refused: RefusedLine[] }
  | { status: 'fulfilled'; checkout: Checkout; orders: LineOrder[] }

export const noAttempt: PaymentAttempt = { status: 'none' }

export const attemptStream = (id: string): string => `paymentAttempt-${id}`

export const evolve = (attempt: PaymentAttempt, event: AttemptEvent): PaymentAttempt => {
  if (event.type === checkoutStarted.type) return { status: 'draft', checkout: event.data }
  if (attempt.status === 'none') return attempt
  switch (event.type) {
    case ordersCreated.type:
      return { status: 'fulfilled', checkout: attempt.checkout, orders: event.data.orders }
    case checkoutRefused.type:
      return { status: 'releasing', checkout: attempt.checkout, refused: event.data.lines }
    case linesReleased.type:
      return attempt.status === 'releasing' ? { ...attempt, status: 'refused' } : attempt
  }
}
