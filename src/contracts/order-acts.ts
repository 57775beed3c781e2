import * as z from 'zod/mini'
import { endpoint, nonEmpty, rowNumber } from './endpoint'
import { cartLine } from './ordering'

export const manyOrderIds = z
  .array(z.string().check(z.maxLength(60)))
  .check(z.minLength(1, 'Select at least one order'), z.maxLength(5000))

const skippedOrders = z.array(
  z.object({
    orderId: z.string(),
    code: z.string(),
    message: z.string(),
    /** What of the meal the child is allergic to, with `allergen_conflict`. */
    allergens: z.optional(z.array(z.string())),
  }),
)

/**
 * Cancels orders in one act, whenever they were placed. Idempotency-Key expected. `owed` is what goes back, in kwacha,
 * as `remedy` says; `families` are told once each, `notTold` of them have no address.
 */
export const cancelOrders = endpoint('POST', '/api/orders/cancel', {
  body: z.object({
    orderIds: manyOrderIds,
    reason: nonEmpty('Give a reason').check(
      z.minLength(3, 'A reason has at least 3 characters'),
      z.maxLength(200, 'A reason has at most 200 characters'),
    ),
    remedy: z.enum(['refund', 'credit']),
  }),
  reply: z.object({
    cancelled: z.number(),
    owed: z.number(),
    families: z.number(),
    notTold: z.number(),
    skipped: skippedOrders,
  }),
})

/**
 * Gives pending orders another meal at the price that was paid, also after the cutoff. Idempotency-Key expected.
 * `families` are told once each, `notTold` of them have no address.
 */
export const substituteOrders = endpoint('POST', '/api/orders/substitute', {
  body: z.object({
    orderIds: manyOrderIds,
    menuItemId: rowNumber(),
    category: cartLine.shape.category,
    sideDish: cartLine.shape.sideDish,
    acknowledged: cartLine.shape.acknowledged,
  }),
  reply: z.object({
    updated: z.number(),
    families: z.number(),
    notTold: z.number(),
    skipped: skippedOrders,
  }),
})
