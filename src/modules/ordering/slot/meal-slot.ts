import { z } from 'zod'
import { eventReader, eventType, type EventOf } from '#kernel/event'
import { orderId, rowId, slotId, slotKey, type SlotKey } from '#kernel/id'
import { mealLine } from '#kernel/meal-line'

const at = z.iso.datetime()
const attemptId = z.uuid()
const aboutOrder = z.strictObject({ orderId, at })

/** A checkout holds the day for a student until `until`. */
export const lunchReserved = eventType(
  'ordering.lunch-reserved.v1',
  z.strictObject({ slot: slotKey, attemptId, until: at, at }),
)
/** A checkout gives up the day that it held. */
export const reservationReleased = eventType(
  'ordering.reservation-released.v1',
  z.strictObject({ slot: slotKey, attemptId, at }),
)
/** An order for the day has been placed. */
export const lunchOrdered = eventType(
  'ordering.lunch-ordered.v1',
  z.strictObject({
    ...mealLine.shape,
    orderId,
    attemptId,
    userId: rowId,
    paymentStatus: z.enum(['confirmed', 'pending']),
    at,
  }),
)
/** The meal has been served. */
export const orderCompleted = eventType('ordering.order-completed.v1', aboutOrder)
/** An order that was completed or cancelled is placed again. */
export const orderReopened = eventType('ordering.order-reopened.v1', aboutOrder)
/**
 * A parent or an administrator has cancelled the order. `afterCutoff`: the day's orders had closed, so the kitchen
 * may have cooked it.
 */
export const orderCancelled = eventType(
  'ordering.order-cancelled.v1',
  z.strictObject({ orderId, by: z.enum(['parent', 'administrator']), afterCutoff: z.boolean(), at }),
)
/** The checkout could not place all of its lines, so the order counts as never placed. */
export const orderWithdrawn = eventType('ordering.order-withdrawn.v1', aboutOrder)
/** An administrator has confirmed the alternative payment for the order. */
export const orderPaymentConfirmed = eventType('ordering.order-payment-confirmed.v1', aboutOrder)
/** What was paid for the cancelled order has been paid back. */
export const orderRefunded = eventType('ordering.order-refunded.v1', aboutOrder)

export const readSlotEvent = eventReader(
  lunchReserved,
  reservationReleased,
  lunchOrdered,
  orderCompleted,
  orderReopened,
  orderCancelled,
  orderWithdrawn,
  orderPaymentConfirmed,
  orderRefunded,
)

export type SlotEvent = EventOf<
  | typeof lunchReserved
  | typeof reservationReleased
  | typeof lunchOrdered
  | typeof orderCompleted
  | typeof orderReopened
  | typeof orderCancelled
  | typeof orderWithdrawn
  | typeof orderPaymentConfirmed
  | typeof orderRefunded
>

type Placed = {
  id: string
  attemptId: string
  index: number
  userId: number
  placedAt: string
  cutoffAt: string
  paymentStatus: 'confirmed' | 'pending'
}
type ActiveOrder = Placed & { status: 'pending' | 'completed' }
type PastOrder = Placed & { status: 'cancelled' | 'refunded' | 'withdrawn' }

/** One child's lunch on one day of a cycle; `past` are its orders that no longer hold the day. */
export type MealSlot =
  | { status: 'free'; past: readonly PastOrder[] }
  | { status: 'reserved'; attemptId: string; until: string; past: readonly PastOrder[] }
  | { status: 'ordered'; order: ActiveOrder; past: readonly PastOrder[] }

export const freeSlot: MealSlot = { status: 'free', past: [] }

/** Every order the slot has had, withdrawn ones too; the active one last. */
export const ordersOf = (slot: MealSlot): readonly (PastOrder | ActiveOrder)[] =>
  slot.status === 'ordered' ? [...slot.past, slot.order] : slot.past

/** The order that this line of this attempt became; undefined while it has not. */
export const orderOfLine = (slot: MealSlot, attemptId: string, index: number) =>
  ordersOf(slot).find((order) => order.attemptId === attemptId && order.index === index)

export const slotStream = (key: SlotKey): string => `mealSlot-${slotId(key)}`

export const evolve = (slot: MealSlot, event: SlotEvent): MealSlot => {
  switch (event.type) {
    case lunchReserved.type:
      return {
        status: 'reserved',
        attemptId: event.data.attemptId,
        until: event.data.until,
        past: slot.past,
      }
    case reservationReleased.type:
      return slot.status === 'reserved' ? { status: 'free', past: slot.past } : slot
    case lunchOrdered.type:
      return { status: 'ordered', order: placed(event.data), past: slot.past }
    case orderCompleted.type:
      return withOrder(slot, event.data.orderId, (order) => ({ ...order, status: 'completed' }))
    case orderReopened.type:
      return reopened(slot, event.data.orderId)
    case orderCancelled.type:
      return withoutOrder(slot, event.data.orderId, 'cancelled')
    case orderWithdrawn.type:
      return withoutOrder(slot, event.data.orderId, 'withdrawn')
    case orderPaymentConfirmed.type:
      return withOrder(slot, event.data.orderId, (order) => ({ ...order, paymentStatus: 'confirmed' }))
    case orderRefunded.type:
      return { ...slot, past: slot.past.map((order) => refunded(order, event.data.orderId)) }
  }
}

const placed = (data: EventOf<typeof lunchOrdered>['data']): ActiveOrder => ({
  id: data.orderId,
  attemptId: data.attemptId,
  index: data.index,
  userId: data.userId,
  placedAt: data.at,
  cutoffAt: data.cutoffAt,
  paymentStatus: data.paymentStatus,
  status: 'pending',
})

const withOrder = (slot: MealSlot, id: string, change: (order: ActiveOrder) => ActiveOrder): MealSlot =>
  slot.status === 'ordered' && slot.order.id === id ? { ...slot, order: change(slot.order) } : slot

const withoutOrder = (slot: MealSlot, id: string, status: 'cancelled' | 'withdrawn'): MealSlot =>
  slot.status === 'ordered' && slot.order.id === id
    ? { status: 'free', past: [...slot.past, { ...slot.order, status }] }
    : slot

const reopened = (slot: MealSlot, id: string): MealSlot => {
  const order = slot.past.find((past) => past.id === id)
  if (!order) return withOrder(slot, id, (active) => ({ ...active, status: 'pending' }))
  return {
    status: 'ordered',
    order: { ...order, status: 'pending' },
    past: slot.past.filter((past) => past.id !== id),
  }
}

const refunded = (order: PastOrder, id: string): PastOrder =>
  order.id === id ? { ...order, status: 'refunded' } : order
