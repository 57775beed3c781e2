import * as z from 'zod/mini'
import { itemType } from './catalogue'
import { endpoint, rowNumber, nonEmpty } from './endpoint'
import { grade } from './identity'

export const orderStatuses = ['pending', 'completed', 'cancelled', 'refunded'] as const
export const orderStatus = z.enum(orderStatuses)
export type OrderStatus = z.infer<typeof orderStatus>

const paymentStatuses = ['confirmed', 'pending', 'failed'] as const
export const paymentStatus = z.enum(paymentStatuses)

/** The ways to pay outside of the card provider that a buyer may choose. */
export const payWays = ['airtel', 'mtn', 'bank'] as const
export type PayWay = (typeof payWays)[number]

/** How something is paid for; `other`: outside of the card provider, in a way that nobody has named. */
export const payBys = ['card', ...payWays, 'other'] as const
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
  /** The day of the meal, `YYYY-MM-DD` in the school's zone. */
  mealDate: z.string(),
  category: z.nullable(z.string()),
  sideDish: z.nullable(z.string()),
  comments: z.string(),
  originalPrice: z.number(),
  /** The price to pay, discount or not. */
  discountedPrice: z.number(),
  discountPercentage: z.number(),
  status: orderStatus,
  paymentStatus,
  /** How it is paid for; null where there was nothing to pay with money. */
  payBy: z.nullable(payBy),
  /** Of the receipt of its payment; null while there is none. */
  receiptNumber: z.nullable(z.string()),
  /** The child is ill and does not eat the meal. */
  absent: z.boolean(),
  /**
   * What of a meal that is yet to be eaten the child is allergic to, where the family has not accepted it: in the list of
   * orders, left out when there is nothing.
   */
  allergens: z.optional(z.array(z.string())),
  /**
   * What this user may do with the order now; the screen draws exactly this. `cancelForMs`, `changeForMs`: for how long yet,
   * counted from this answer, the last millisecond included; left out where nothing can be cancelled. `asPaidForMs`: for how
   * long the money of a cancelled order goes back as it was paid; left out when that is over. `absentForMs`: until when the
   * absence of the child can be told or taken back, from `absentInMs` on where not yet; left out when it no longer can.
   */
  allowed: z.object({
    cancel: z.boolean(),
    cancelForMs: z.optional(z.number()),
    asPaidForMs: z.optional(z.number()),
    change: z.boolean(),
    changeForMs: z.optional(z.number()),
    absent: z.boolean(),
    absentInMs: z.optional(z.number()),
    absentForMs: z.optional(z.number()),
  }),
  /** Of what is not allowed, the reason in one sentence for people. */
  why: z.object({
    cancel: z.optional(z.string()),
    change: z.optional(z.string()),
    absent: z.optional(z.string()),
  }),
  /** Until when the parent may cancel, an ISO instant. */
  cancellableUntil: z.string(),
})
export type Order = z.infer<typeof order>

/** `unpaginated=true` answers `{ data }`, otherwise the bare list (parent-and-teacher.md section 7). */
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

/** "Ill today": says that the child does not eat the meal, or with `absent: false` that it does after all. */
export const setAbsence = endpoint('POST', '/api/orders/:id/absent', {
  once: true,
  params: orderIdParam,
  body: z.optional(z.object({ absent: z._default(z.boolean(), true) })),
  reply: order,
})

/** One line of a cart as the browser sends it; prices and names are claims that the server checks or ignores. */
export const cartLine = z.object({
  menuItemId: rowNumber(),
  studentId: rowNumber(),
  weekNumber: z.int().check(z.gte(1), z.lte(6)),
  dayOfWeek: z.int().check(z.gte(1), z.lte(5)),
  /** The date that the buyer saw for that week and day, `YYYY-MM-DD`; another one is refused as `day_moved`. */
  date: z.optional(z.iso.date()),
  category: z.nullish(z.string().check(z.maxLength(80))),
  sideDish: z.nullish(z.string().check(z.maxLength(80))),
  comments: z.nullish(
    z.string().check(z.trim(), z.maxLength(500, 'Comments can have at most 500 characters')),
  ),
  /** The buyer was asked about an allergen of the child's in it, and wants it all the same. */
  acknowledged: z.optional(z.boolean()),
  originalPrice: z.number(),
  discountedPrice: z.nullish(z.number()),
  discountPercentage: z.nullish(z.number()),
  customerName: z.nullish(z.string().check(z.maxLength(200))),
  customerEmail: z.nullish(z.string().check(z.maxLength(254))),
})
export type CartLine = z.infer<typeof cartLine>

/**
 * The same lunch becomes another meal. `discountedPrice` is the price that the buyer saw (`price_changed` otherwise). What
 * it costs less comes as credit, what it costs more is taken from credit: 402 `credit_short` with `short`, in kwacha.
 * Otherwise refused as a line of a cart is. Idempotency-Key expected.
 */
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

/** Why a line was refused; the closed list that both sides know. */
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
  'price_changed',
  'duplicate_line',
  'already_ordered',
  'day_reserved',
  'too_many_orders',
  'credit_gone',
] as const
const lineRefusal = z.enum(lineRefusals)
export type LineRefusal = z.infer<typeof lineRefusal>

/**
 * `left`: how many portions of the item there are on that date, with `sold_out`. `allergens`: what of the meal the child
 * is allergic to, with `allergen_conflict`; the line may be sent `acknowledged` where the school's rule is to warn.
 */
export const refusedLine = z.object({
  index: z.number(),
  code: lineRefusal,
  message: z.string(),
  left: z.optional(z.number()),
  allergens: z.optional(z.array(z.string())),
})

const cartLines = z.array(cartLine).check(z.minLength(1, 'No items found in cart'), z.maxLength(200))

/**
 * Idempotency-Key expected. What credit does not cover (`useCredit`: as much of it as helps, line by line) is 402
 * `payment_required` unless it may be paid for otherwise; refused lines are `lines_refused`. With `payBy` it is paid for in
 * that way: an own card payment of the same days is given up for it, or it is 409 `payment_in_progress`; 409
 * `way_not_offered` where the school does not take it.
 */
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
  reply: z.object({
    orders: z.array(order),
    payment: z.nullable(
      z.object({
        reference: z.string(),
        amount: z.number(),
        instructions: z.record(z.string(), z.unknown()),
      }),
    ),
  }),
})

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
  once: true,
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

const percentMessage = 'Percent must be a whole number from 0 to 100'
const portionsMessage = 'Portions must be a whole number from 0 to 1,000'

/** What families may do with their orders, and how their money goes back then (days-and-changes.md section 6). */
const orderingRules = z.object({
  /** Until when a family may cancel or change an order: for an hour, or until the cutoff of its day too. */
  cancelUntil: z.enum(['hour', 'cutoff']),
  /** How money goes back for what is cancelled after the hour. */
  lateRemedy: z.enum(['credit', 'refund']),
  /** Whether a paid meal of a child who is ill gives credit. */
  absence: z.enum(['none', 'credit']),
  /** How much of the price of such a meal, in percent. */
  absencePercent: z.int(percentMessage).check(z.gte(0, percentMessage), z.lte(100, percentMessage)),
  /** Below how many portions the menu tells how many are left. */
  lowPortions: z.int(portionsMessage).check(z.gte(0, portionsMessage), z.lte(1000, portionsMessage)),
})
export type OrderingRules = z.infer<typeof orderingRules>

export const getOrderingRules = endpoint('GET', '/api/settings/ordering-rules', { reply: orderingRules })

export const saveOrderingRules = endpoint('POST', '/api/settings/ordering-rules', {
  body: orderingRules,
  reply: orderingRules,
})
