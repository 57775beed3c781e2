import { z } from 'zod'
import { payBys } from '#contracts/ordering'
import { eventType } from '#kernel/event'
import { orderId, rowId, slotKey } from '#kernel/id'
import { mealLine } from '#kernel/meal-line'
import { ngwee } from '#kernel/money'
import { remedies } from '#kernel/remedy'

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
/** An order for the day has been placed. `payBy`: how it is paid for, where something is to be paid with money. */
export const lunchOrdered = eventType(
  'ordering.lunch-ordered.v1',
  z.strictObject({
    ...mealLine.shape,
    orderId,
    attemptId,
    userId: rowId,
    paymentStatus: z.enum(['confirmed', 'pending']),
    payBy: z.enum(payBys).optional(),
    at,
  }),
)
/** The meal has been served. */
export const orderCompleted = eventType('ordering.order-completed.v1', aboutOrder)
/** An order that was completed or cancelled is placed again. */
export const orderReopened = eventType('ordering.order-reopened.v1', aboutOrder)
/**
 * A parent or an administrator has cancelled the order, or the `system`, as nobody had paid for it at the cutoff of its
 * day: it has lapsed. `afterCutoff`: the day's orders had closed, so the kitchen
 * may have cooked it. `remedy`: how what was paid goes back, as a refund when it is absent; `closureId` when the day
 * was closed.
 */
export const orderCancelled = eventType(
  'ordering.order-cancelled.v1',
  z.strictObject({
    orderId,
    by: z.enum(['parent', 'administrator', 'system']),
    afterCutoff: z.boolean(),
    remedy: z.enum(remedies).optional(),
    closureId: z.uuid().optional(),
    at,
  }),
)
/** The checkout could not place all of its lines, so the order counts as never placed. */
export const orderWithdrawn = eventType('ordering.order-withdrawn.v1', aboutOrder)
/** An administrator has confirmed the alternative payment for the order; `transferId`: the transfer that pays for it. */
export const orderPaymentConfirmed = eventType(
  'ordering.order-payment-confirmed.v1',
  z.strictObject({ ...aboutOrder.shape, transferId: z.uuid().optional() }),
)
/** The confirmation of this transfer was undone: the order is unpaid again. */
export const orderPaymentUndone = eventType(
  'ordering.order-payment-undone.v1',
  z.strictObject({ ...aboutOrder.shape, transferId: z.uuid() }),
)
/** What was paid for the cancelled order has been paid back. */
export const orderRefunded = eventType('ordering.order-refunded.v1', aboutOrder)

const { item, category, sideDish, comments, originalPrice, price, discountPercentage, acknowledged } =
  mealLine.shape
const meal = z.strictObject({
  item,
  category,
  sideDish,
  comments,
  originalPrice,
  price,
  discountPercentage,
  acknowledged,
})

/** The order is for another meal now, the `old` one no more. `changeId`: one act of changing it. */
export const orderChanged = eventType(
  'ordering.order-changed.v1',
  z.strictObject({
    orderId,
    changeId: z.uuid(),
    by: z.enum(['parent', 'administrator']),
    meal,
    old: meal,
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
