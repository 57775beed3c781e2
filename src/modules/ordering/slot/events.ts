import { z } from 'zod'
import { payBys } from '#contracts/ordering'
import { eventType } from '#kernel/event'
import { orderId, rowId, slotKey } from '#kernel/id'
import { mealLine } from '#kernel/meal-line'
import { ngwee, proofs, remedies } from '#kernel/money'

const at = z.iso.datetime()
const attemptId = z.uuid()
const mealDate = mealLine.shape.mealDate
const aboutOrder = z.strictObject({ orderId, at })

/** A checkout holds the day for a student until `until`. */
export const lunchReserved = eventType(
  'ordering.lunch-reserved.v1',
  z.strictObject({ slot: slotKey, mealDate, attemptId, until: at, at }),
)
/** A checkout gives up the day that it held. */
export const reservationReleased = eventType(
  'ordering.reservation-released.v1',
  z.strictObject({ slot: slotKey, mealDate, attemptId, at }),
)
/**
 * An order for the day has been placed. `payBy`: how it is paid for, where something is to be paid with money. `lapsesAt`: when it lapses
 * unpaid; its cutoff where absent. `received`: less came in for it than was to be paid.
 */
export const lunchOrdered = eventType(
  'ordering.lunch-ordered.v1',
  z.strictObject({
    ...mealLine.shape,
    orderId,
    attemptId,
    userId: rowId,
    paymentStatus: z.enum(['confirmed', 'pending']),
    payBy: z.enum(payBys).optional(),
    lapsesAt: at.optional(),
    byOffice: z.literal(true).optional(),
    byPlan: z.literal(true).optional(),
    received: z.optional(ngwee),
    at,
  }),
)
/** The meal has been served. */
export const orderCompleted = eventType('ordering.order-completed.v1', aboutOrder)
/** An order that was completed or cancelled is placed again. */
export const orderReopened = eventType('ordering.order-reopened.v1', aboutOrder)
/**
 * A parent or an administrator has cancelled the order, or the `system`, as nobody had paid for it at the cutoff of its
 * day, or (not `afterCutoff`) in the time for which its portion of a limited item was kept: it has lapsed. `afterCutoff`: the day's orders had closed, so the kitchen
 * may have cooked it. `remedy`: how what was paid goes back, as a refund when it is absent; `closureId` when the day
 * was closed, `actId` when the office cancelled many orders in one act.
 */
export const orderCancelled = eventType(
  'ordering.order-cancelled.v1',
  z.strictObject({
    orderId,
    by: z.enum(['parent', 'administrator', 'system']),
    afterCutoff: z.boolean(),
    remedy: z.enum(remedies).optional(),
    closureId: z.uuid().optional(),
    actId: z.uuid().optional(),
    at,
  }),
)
/** The checkout could not place all of its lines, so the order counts as never placed. */
export const orderWithdrawn = eventType('ordering.order-withdrawn.v1', aboutOrder)
/**
 * An administrator has confirmed the alternative payment for the order; `transferId`: the transfer that pays for it.
 * `byHand`: without a row of a statement and without a transaction id. What no statement and no till proves goes back as credit only; `proof` is `statement` where it is absent.
 */
export const orderPaymentConfirmed = eventType(
  'ordering.order-payment-confirmed.v1',
  z.strictObject({
    ...aboutOrder.shape,
    transferId: z.uuid().optional(),
    byHand: z.literal(true).optional(),
    proof: z.enum(proofs).optional(),
  }),
)
/** The transfer that pays for the order stands on a statement now. */
export const orderPaymentProven = eventType(
  'ordering.order-payment-proven.v1',
  z.strictObject({ ...aboutOrder.shape, transferId: z.uuid() }),
)
/** The confirmation of this transfer was undone: the order is unpaid again. */
export const orderPaymentUndone = eventType(
  'ordering.order-payment-undone.v1',
  z.strictObject({ ...aboutOrder.shape, transferId: z.uuid() }),
)
/** Money for the cancelled order goes back, or may be on its way: the order cannot be placed again. */
export const orderRefundBegun = eventType('ordering.order-refund-begun.v1', aboutOrder)
/** Nothing of it has gone back: the order is cancelled as any other. */
export const orderRefundFailed = eventType('ordering.order-refund-failed.v1', aboutOrder)
/** It was marked refunded, and part of its money is still owed: it is cancelled, and its money goes back or may be on its way. */
export const orderRefundStillOwed = eventType('ordering.order-refund-still-owed.v1', aboutOrder)
/** All that was paid for the cancelled order has been paid back. */
export const orderRefunded = eventType('ordering.order-refunded.v1', aboutOrder)

const meal = mealLine.pick({
  item: true,
  category: true,
  sideDish: true,
  comments: true,
  originalPrice: true,
  price: true,
  discountPercentage: true,
  sponsor: true,
  acknowledged: true,
  limited: true,
})

/** `from` its date to `mealDate`; `as`: its id for kitchen and hatch there. */
const moved = z.strictObject({ from: mealDate, slot: slotKey, mealDate, as: orderId })
export type Moved = z.infer<typeof moved>

/** An order of another day of the child may be here as `as`: its own stream says whether it is. Until `until` the day is kept for it. */
export const lunchMovedHere = eventType(
  'ordering.lunch-moved-here.v1',
  z.strictObject({ slot: slotKey, mealDate, orderId, as: orderId, changeId: z.uuid(), until: at, at }),
)
/** The order is for another meal now, the `old` one no more, or (`moved`) for another day. `changeId`: one act of changing it. `closes`: when orders of the meal close, where that is another instant. */
export const orderChanged = eventType(
  'ordering.order-changed.v1',
  z.strictObject({
    orderId,
    changeId: z.uuid(),
    by: z.enum(['parent', 'administrator']),
    meal,
    old: meal,
    closes: mealLine.pick({ cutoffAt: true, dayCutoffAt: true }).optional(),
    moved: moved.optional(),
    at,
  }),
)
/** The child is ill today and does not eat the meal; `credit` is what that gives back of a paid one, in ngwee. */
export const absenceMarked = eventType(
  'ordering.absence-marked.v1',
  z.strictObject({ orderId, credit: ngwee, at }),
)
/** The child eats the meal after all. */
export const absenceTakenBack = eventType('ordering.absence-taken-back.v1', aboutOrder)
