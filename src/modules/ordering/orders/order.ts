import type { EventOf } from '#kernel/event'
import {
  lunchOrdered,
  lunchReserved,
  orderCancelled,
  orderCompleted,
  orderPaymentConfirmed,
  orderRefunded,
  orderReopened,
  orderWithdrawn,
  reservationReleased,
  type SlotEvent,
} from '../slot/meal-slot'

/**
 * One order with everything that lists show, as a row of `ordering.orders`. Prices are ngwee, `price` the price to
 * pay; instants are ISO text when folded and Date when read from the table.
 */
export type OrderRow = {
  id: string
  attempt_id: string
  line: number
  user_id: number
  student_id: number
  student_name: string
  student_grade: string
  cycle_id: number
  week: number
  day: number
  meal_date: string
  item_id: number
  item_name: string
  item_type: 'primary' | 'secondary'
  category: string | null
  side_dish: string | null
  comments: string
  original_price: number
  price: number
  discount_percentage: number
  status: 'pending' | 'completed' | 'cancelled' | 'refunded'
  payment_status: 'confirmed' | 'pending'
  placed_at: string | Date
  cancelled_late: boolean
}

/** What its owner is shown of an order. */
export type OwnOrderRow = Omit<OrderRow, 'attempt_id' | 'line' | 'user_id' | 'cancelled_late'>

/** What the kitchen is shown of an order: what and when, not whose or for how much. */
export type KitchenRow = Pick<
  OrderRow,
  | 'id'
  | 'week'
  | 'day'
  | 'meal_date'
  | 'item_id'
  | 'item_name'
  | 'item_type'
  | 'category'
  | 'side_dish'
  | 'comments'
  | 'status'
  | 'payment_status'
  | 'cancelled_late'
>

/** What happens to an order, as opposed to the reservation before it; each names the order by `orderId`. */
export const orderEventTypes = [
  lunchOrdered,
  orderCompleted,
  orderReopened,
  orderCancelled,
  orderWithdrawn,
  orderRefunded,
  orderPaymentConfirmed,
] as const
export type OrderEvent = EventOf<(typeof orderEventTypes)[number]>

/** What an event makes of an order; null when there is no such order, or not any more. */
export const evolveOrder = (order: OrderRow | null, event: OrderEvent): OrderRow | null => {
  if (event.type === lunchOrdered.type) return placed(event.data)
  if (!order) return null
  switch (event.type) {
    case orderCompleted.type:
      return { ...order, status: 'completed' }
    case orderReopened.type:
      return { ...order, status: 'pending', cancelled_late: false }
    case orderCancelled.type:
      return { ...order, status: 'cancelled', cancelled_late: event.data.afterCutoff }
    case orderWithdrawn.type:
      return null
    case orderPaymentConfirmed.type:
      return { ...order, payment_status: 'confirmed' }
    case orderRefunded.type:
      return { ...order, status: 'refunded' }
  }
}

/** The order of this id as its slot's events tell it; null when they know none. */
export const orderFrom = (events: readonly SlotEvent[], orderId: string): OrderRow | null =>
  events.reduce<OrderRow | null>((order, event) => {
    if (event.type === lunchReserved.type || event.type === reservationReleased.type) return order
    return event.data.orderId === orderId ? evolveOrder(order, event) : order
  }, null)

/** The order that is placed, whatever was known of its id. */
const placed = (data: EventOf<typeof lunchOrdered>['data']): OrderRow => ({
  id: data.orderId,
  attempt_id: data.attemptId,
  line: data.index,
  user_id: data.userId,
  student_id: data.slot.studentId,
  student_name: data.student.name,
  student_grade: data.student.grade,
  cycle_id: data.slot.cycleId,
  week: data.slot.week,
  day: data.slot.day,
  meal_date: data.mealDate,
  item_id: data.item.id,
  item_name: data.item.name,
  item_type: data.item.type,
  category: data.category,
  side_dish: data.sideDish,
  comments: data.comments,
  original_price: data.originalPrice,
  price: data.price,
  discount_percentage: data.discountPercentage,
  status: 'pending',
  payment_status: data.paymentStatus,
  placed_at: data.at,
  cancelled_late: false,
})
