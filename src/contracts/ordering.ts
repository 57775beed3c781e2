import * as z from 'zod/mini'
import { dietNames, itemType } from './catalogue'
import { endpoint, rowNumber, nonEmpty, wholeNumber, givenVersion, shownVersion } from './endpoint'
import { grade } from './identity'
import { paymentInstructions } from './payment-instructions'
import { markKinds } from './serving'

export const orderStatuses = ['pending', 'completed', 'cancelled', 'refunded'] as const
export const orderStatus = z.enum(orderStatuses)
export type OrderStatus = z.infer<typeof orderStatus>

const paymentStatuses = ['confirmed', 'pending', 'failed'] as const
export const paymentStatus = z.enum(paymentStatuses)

export const payWays = ['airtel', 'mtn', 'bank'] as const
export type PayWay = (typeof payWays)[number]

/** Ways to pay outside the card provider that a checkout names. */
export const checkoutWays = [...payWays, 'cash'] as const
export type CheckoutWay = (typeof checkoutWays)[number]

export const mobileNetworks = ['airtel', 'mtn'] as const
export type MobileNetwork = (typeof mobileNetworks)[number]

/** `cash`: at the office; `other`: outside the card provider, method unknown. */
export const payBys = ['card', ...checkoutWays, 'other'] as const
export const payBy = z.enum(payBys)
export type PayBy = z.infer<typeof payBy>

const orderIdParam = z.object({ id: z.string().check(z.maxLength(60)) })

export const order = z.object({
  id: z.string(),
  orderDate: z.string(),
  studentId: z.number(),
  student: z.object({ name: z.string(), grade }),
  menuItem: z.object({ id: z.number(), name: z.string(), type: itemType }),
  cycleId: z.number(),
  weekNumber: z.number(),
  dayOfWeek: z.number(),
  mealDate: z.string(),
  category: z.nullable(z.string()),
  sideDish: z.nullable(z.string()),
  comments: z.string(),
  originalPrice: z.number(),
  discountedPrice: z.number(),
  discountPercentage: z.number(),
  status: orderStatus,
  paymentStatus,
  orderedBy: z.optional(z.string()),
  payBy: z.nullable(payBy),
  receiptNumber: z.nullable(z.string()),
  absent: z.boolean(),
  /** What "Ill today" gave of a paid meal; absent for nothing. */
  absenceCredit: z.optional(z.number()),
  /** The hatch's standing mark; `at` by the device's clock. */
  given: z.nullable(z.object({ at: z.string(), state: z.enum(markKinds) })),
  /** What speaks against a future meal and the family has not accepted; absent when nothing. */
  allergens: z.optional(z.array(z.string())),
  diets: z.optional(z.array(z.enum(dietNames))),
  /** What the caller may do now. `…ForMs` ends, and `absentInMs` begins, that many ms after this reply. Absent when not possible. */
  allowed: z.object({
    cancel: z.boolean(),
    cancelForMs: z.optional(z.number()),
    asPaidForMs: z.optional(z.number()),
    asCredit: z.optional(z.literal(true)),
    change: z.boolean(),
    changeForMs: z.optional(z.number()),
    move: z.boolean(),
    moveForMs: z.optional(z.number()),
    absent: z.boolean(),
    absentInMs: z.optional(z.number()),
    absentForMs: z.optional(z.number()),
  }),
  why: z.partial(z.object({ cancel: z.string(), change: z.string(), move: z.string(), absent: z.string() })),
  cancellableUntil: z.string(),
})
export type Order = z.infer<typeof order>

/** `unpaginated=true` answers `{ data }`, otherwise a bare list (parent-and-teacher.md section 7). */
export const listOrders = endpoint('GET', '/api/orders', {
  query: z.object({
    includeAll: z.optional(z.enum(['true', 'false'])),
    unpaginated: z.optional(z.enum(['true', 'false'])),
  }),
  reply: z.union([z.array(order), z.object({ data: z.array(order) })]),
})

export const cancelOrder = endpoint('POST', '/api/orders/:id/cancel', {
  once: true,
  params: orderIdParam,
  reply: order,
})

/** "Ill today"; `absent: false` takes it back. */
export const setAbsence = endpoint('POST', '/api/orders/:id/absent', {
  once: true,
  params: orderIdParam,
  body: z.optional(z.object({ absent: z._default(z.boolean(), true) })),
  reply: order,
})

/** A cart line as the browser claims it; the server checks or ignores prices and names. */
export const cartLine = z.object({
  menuItemId: rowNumber(),
  studentId: rowNumber(),
  weekNumber: z.int().check(z.gte(1), z.lte(6)),
  dayOfWeek: z.int().check(z.gte(1), z.lte(5)),
  /** The date the buyer saw; 409 `day_moved` when it differs. */
  date: z.optional(z.iso.date()),
  category: z.nullish(z.string().check(z.maxLength(80))),
  sideDish: z.nullish(z.string().check(z.maxLength(80))),
  comments: z.nullish(
    z.string().check(z.trim(), z.maxLength(500, 'Comments can have at most 500 characters')),
  ),
  acknowledged: z.optional(z.boolean()),
  originalPrice: z.number(),
  discountedPrice: z.nullish(z.number()),
  discountPercentage: z.nullish(z.number()),
  customerName: z.nullish(z.string().check(z.maxLength(200))),
  customerEmail: z.nullish(z.string().check(z.maxLength(254))),
})
export type CartLine = z.infer<typeof cartLine>

/** 409 `price_changed` unless `discountedPrice` is the price. Cheaper gives credit; dearer takes it, else 402 `credit_short`. */
export const changeOrder = endpoint('POST', '/api/orders/:id/change', {
  once: true,
  params: orderIdParam,
  body: z.object({
    menuItemId: cartLine.shape.menuItemId,
    category: cartLine.shape.category,
    sideDish: cartLine.shape.sideDish,
    comments: cartLine.shape.comments,
    acknowledged: cartLine.shape.acknowledged,
    discountedPrice: z.number(),
  }),
  reply: order,
})
export type MealChange = z.infer<typeof changeOrder.body>

/** Another day: the same lunch on another open date of the cycle. */
export const moveOrder = endpoint('POST', '/api/orders/:id/move', {
  once: true,
  params: orderIdParam,
  body: z.object({ date: z.iso.date() }),
  reply: order,
})

export const lineRefusals = [
  'student_not_found',
  'no_active_cycle',
  'day_moved',
  'week_outside_cycle',
  'day_blocked',
  'day_past',
  'cutoff_passed',
  'item_missing',
  'item_archived',
  'item_unavailable',
  'item_not_offered',
  'sold_out',
  'wrong_menu_for_grade',
  'protein_required',
  'protein_not_offered',
  'side_required',
  'side_not_offered',
  'allergen_conflict',
  'diet_conflict',
  'price_changed',
  'duplicate_line',
  'already_ordered',
  'day_reserved',
  'too_many_orders',
  'credit_gone',
] as const
const lineRefusal = z.enum(lineRefusals)
export type LineRefusal = z.infer<typeof lineRefusal>

/** `left` comes with `sold_out`, `allergens` and `diets` with a conflict: under the rule to warn the line may be resent `acknowledged`. */
export const refusedLine = z.object({
  index: z.number(),
  code: lineRefusal,
  message: z.string(),
  /** Why the day is closed, with `day_blocked`. */
  reason: z.optional(z.string()),
  left: z.optional(z.number()),
  allergens: z.optional(z.array(z.string())),
  diets: z.optional(z.array(z.enum(dietNames))),
})

const cartLines = z.array(cartLine).check(z.minLength(1, 'No items found in cart'), z.maxLength(200))

const placed = z.object({
  orders: z.array(order),
  payment: z.nullable(
    z.object({
      reference: z.string(),
      amount: z.number(),
      instructions: paymentInstructions,
    }),
  ),
})

/** 402 `payment_required` when credit falls short. Without `payBy`, 409 `payment_in_progress` for an own card payment of these days. */
export const placeOrders = endpoint('POST', '/api/orders', {
  status: 201,
  body: z.union([
    cartLines,
    z.object({
      cartItems: cartLines,
      useCredit: z.optional(z.boolean()),
      payBy: z.optional(z.enum(payWays)),
    }),
  ]),
  reply: placed,
})

export const counterWays = [...checkoutWays, 'other', 'credit'] as const

/**
 * The office orders for a family: the parent's checks and price. `received` (needs pending_payments) makes the receipt at once; else the meals
 * are unpaid. `late` is for today's meals after the cutoff, until the kitchen has completed one. 402 `credit_short`, 409 `payment_in_progress`.
 */
export const orderForFamily = endpoint('POST', '/api/families/:parentId/orders', {
  once: true,
  status: 201,
  params: z.object({ parentId: wholeNumber }),
  body: z.object({
    cartItems: cartLines,
    payBy: z.enum(counterWays),
    received: z.boolean(),
    transactionId: z.nullish(z.string().check(z.trim(), z.maxLength(100))),
    note: z.nullish(z.string().check(z.trim(), z.maxLength(500))),
    late: z.nullish(z.object({ reason: z.string().check(z.trim(), z.minLength(3), z.maxLength(500)) })),
  }),
  reply: placed,
})

export const manyOrderIds = z
  .array(z.string().check(z.maxLength(60)))
  .check(z.minLength(1, 'Select at least one order'), z.maxLength(5000))

const skippedOrders = z.array(
  z.object({
    orderId: z.string(),
    code: z.string(),
    message: z.string(),
    allergens: z.optional(z.array(z.string())),
    diets: z.optional(z.array(z.enum(dietNames))),
  }),
)

const toldFamilies = { families: z.number(), notTold: z.number(), skipped: skippedOrders }

/** Cancels orders of any date. `owed` in kwacha goes back, `asCredit` of it as credit; `notTold` of the `families` have no address. */
export const cancelOrders = endpoint('POST', '/api/orders/cancel', {
  once: true,
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
    asCredit: z.optional(z.number()),
    ...toldFamilies,
  }),
})

export const substituteOrders = endpoint('POST', '/api/orders/substitute', {
  once: true,
  body: z.object({
    orderIds: manyOrderIds,
    menuItemId: rowNumber(),
    category: cartLine.shape.category,
    sideDish: cartLine.shape.sideDish,
    acknowledged: cartLine.shape.acknowledged,
  }),
  reply: z.object({ updated: z.number(), ...toldFamilies }),
})

const wholeUpTo = (most: number, text: string) => z.int(text).check(z.gte(0, text), z.lte(most, text))
const margin = wholeUpTo(50, 'The margin must be a whole number from 0 to 50')

/** `buyingMargin`: percent that a buying list adds. */
export const orderingRules = z.object({
  cancelUntil: z.enum(['hour', 'cutoff']),
  lateRemedy: z.enum(['credit', 'refund']),
  absence: z.enum(['none', 'credit']),
  absencePercent: wholeUpTo(100, 'Percent must be a whole number from 0 to 100'),
  lowPortions: wholeUpTo(1000, 'Portions must be a whole number from 0 to 1,000'),
  plans: z.boolean(),
  buyingMargin: margin,
})
export type OrderingRules = z.infer<typeof orderingRules>

export const getOrderingRules = endpoint('GET', '/api/settings/ordering-rules', {
  reply: z.extend(orderingRules, shownVersion),
})

export const saveOrderingRules = endpoint('POST', '/api/settings/ordering-rules', {
  body: z.extend(orderingRules, {
    plans: z.optional(z.boolean()),
    buyingMargin: z.optional(margin),
    ...givenVersion,
  }),
  reply: z.extend(orderingRules, shownVersion),
})
