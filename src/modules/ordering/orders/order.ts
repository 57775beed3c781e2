import type { Order } from '#contracts/ordering'
import type { Grade } from '#contracts/identity'
import type { EventOf } from '#kernel/event'
import { kwachaFromNgwee, type Ngwee } from '#kernel/money'
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
import { cancellableUntil, cancelRefusal } from '../slot/meal-slot.decide'

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

/** An order as its owner sees it at this instant, by the server's clock: that of a phone may be wrong. */
export const orderReply = (row: OrderRow, now: Date): Order => {
  const placedAt = new Date(row.placed_at)
  const until = cancellableUntil(placedAt)
  const refused = cancelRefusal({ status: row.status, placedAt }, now)
  return {
    id: row.id,
    orderDate: placedAt.toISOString(),
    studentId: row.student_id,
    student: { name: row.student_name, grade: row.student_grade as Grade },
    menuItem: { id: row.item_id, name: row.item_name, type: row.item_type },
    cycleId: row.cycle_id,
    weekNumber: row.week,
    dayOfWeek: row.day,
    mealDate: row.meal_date,
    category: row.category,
    sideDish: row.side_dish,
    comments: row.comments,
    originalPrice: kwachaFromNgwee(row.original_price),
    discountedPrice: kwachaFromNgwee(row.price),
    discountPercentage: row.discount_percentage,
    status: row.status,
    paymentStatus: row.payment_status,
    allowed: refused ? { cancel: false } : { cancel: true, cancelForMs: until.getTime() - now.getTime() },
    cancellableUntil: until.toISOString(),
  }
}

/** What siblings who look after money know of an order; `price` is the price to pay. */
export type OrderFacts = {
  id: string
  attemptId: string
  line: number
  userId: number
  student: { name: string; grade: string }
  item: { name: string }
  week: number
  day: number
  price: Ngwee
  status: OrderRow['status']
  paymentStatus: OrderRow['payment_status']
  placedAt: Date
}

export const factsOf = (row: OrderRow): OrderFacts => ({
  id: row.id,
  attemptId: row.attempt_id,
  line: row.line,
  userId: row.user_id,
  student: { name: row.student_name, grade: row.student_grade },
  item: { name: row.item_name },
  week: row.week,
  day: row.day,
  price: row.price,
  status: row.status,
  paymentStatus: row.payment_status,
  placedAt: new Date(row.placed_at),
})
