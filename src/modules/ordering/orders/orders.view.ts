import type { Order } from '#contracts/ordering'
import type { Grade } from '#contracts/identity'
import type { EventOf } from '#kernel/event'
import { kwachaFromNgwee } from '#kernel/money'
import { rowView } from '#platform/projections/row-view'
import type { OrderFacts, OrderRow } from './order'
import * as events from '../slot/events'
import { isMarkEvent } from '../slot/lunch-marks'
import { lapsesAfterReopening, type OrderedMeal, type SlotEvent } from '../slot/meal-slot'
import { allowedNow, cancellableUntil, mealDayOf, type FamilyTerms } from '../slot/family-acts.decide'

const { lunchReserved, reservationReleased, ...orderEvents } = events

/** What happens to an order, as opposed to the reservation before it; each names the order by `orderId`. */
const orderEventTypes = Object.values(orderEvents)
export type OrderEvent = EventOf<(typeof orderEventTypes)[number]>

/** What an event makes of an order; null when there is no such order, or not any more. */
export const evolveOrder = (order: OrderRow | null, event: OrderEvent): OrderRow | null => {
  if (event.type === events.lunchOrdered.type) return placed(event.data)
  if (!order) return null
  switch (event.type) {
    case events.orderCompleted.type:
      return { ...order, status: 'completed' }
    case events.orderReopened.type:
      return {
        ...order,
        status: 'pending',
        cancelled_late: false,
        remedy: null,
        closure_id: null,
        lapses_at: lapsesAfterReopening(order.lapses_at, event.data.at),
        lapsed: false,
      }
    case events.orderCancelled.type:
      return {
        ...order,
        status: 'cancelled',
        cancelled_late: event.data.afterCutoff,
        remedy: event.data.remedy ?? 'refund',
        closure_id: event.data.closureId ?? null,
        lapsed: event.data.by === 'system',
      }
    case events.orderWithdrawn.type:
      return null
    case events.orderPaymentConfirmed.type:
      return { ...order, payment_status: 'confirmed' }
    case events.orderPaymentUndone.type:
      return { ...order, payment_status: 'pending' }
    case events.orderChanged.type:
      return {
        ...order,
        ...mealColumns(event.data.meal),
        substituted: order.substituted || event.data.by === 'administrator',
      }
    case events.absenceMarked.type:
      return { ...order, absent: true, absence_credit: event.data.credit }
    case events.absenceTakenBack.type:
      return { ...order, absent: false, absence_credit: 0 }
    case events.orderRefunded.type:
      return { ...order, status: 'refunded' }
  }
}

/** The order of this id, folded from its slot's events; null when there is none. */
export const orderFrom = (slotEvents: readonly SlotEvent[], orderId: string): OrderRow | null =>
  slotEvents.reduce<OrderRow | null>((order, event) => {
    if (event.type === lunchReserved.type || event.type === reservationReleased.type || isMarkEvent(event))
      return order
    return event.data.orderId === orderId ? evolveOrder(order, event) : order
  }, null)

/** The order that is placed, whatever was known of its id. */
const placed = (data: EventOf<typeof events.lunchOrdered>['data']): OrderRow => ({
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
  ...mealColumns(data),
  credit: data.credit ?? 0,
  status: 'pending',
  payment_status: data.paymentStatus,
  pay_by: data.payBy ?? null,
  placed_at: data.at,
  cancelled_late: false,
  remedy: null,
  closure_id: null,
  lapses_at: data.cutoffAt,
  lapsed: false,
  absent: false,
  absence_credit: 0,
  substituted: false,
})

const mealColumns = (meal: OrderedMeal) => ({
  item_id: meal.item.id,
  item_name: meal.item.name,
  item_type: meal.item.type,
  category: meal.category,
  side_dish: meal.sideDish,
  comments: meal.comments,
  original_price: meal.originalPrice,
  price: meal.price,
  discount_percentage: meal.discountPercentage,
  acknowledged: meal.acknowledged === true,
})

/** One row per order, for every list, the kitchen and the books. A withdrawn order has no row. */
export const ordersView = rowView({
  table: 'ordering.orders',
  columns: {
    id: 'text',
    attempt_id: 'uuid',
    line: 'integer',
    user_id: 'integer',
    student_id: 'integer',
    student_name: 'text',
    student_grade: 'text',
    cycle_id: 'integer',
    week: 'smallint',
    day: 'smallint',
    meal_date: 'date',
    item_id: 'integer',
    item_name: 'text',
    item_type: 'text',
    category: 'text',
    side_dish: 'text',
    comments: 'text',
    original_price: 'integer',
    price: 'integer',
    credit: 'integer',
    discount_percentage: 'double precision',
    status: 'text',
    payment_status: 'text',
    pay_by: 'text',
    placed_at: 'timestamptz',
    cancelled_late: 'boolean',
    remedy: 'text',
    closure_id: 'uuid',
    lapses_at: 'timestamptz',
    lapsed: 'boolean',
    absent: 'boolean',
    absence_credit: 'integer',
    substituted: 'boolean',
    acknowledged: 'boolean',
  },
  primaryKey: 'id',
  events: orderEventTypes,
  key: ({ data }) => data.orderId,
  evolve: evolveOrder,
})

/** An order as its owner sees it at this instant, by the server's clock: that of a phone may be wrong. */
export const orderReply = (
  row: OrderRow,
  now: Date,
  terms: FamilyTerms,
  receiptNumber: string | null = null,
): Order => {
  const placedAt = new Date(row.placed_at)
  const { status, absent, substituted } = row
  const day = mealDayOf(row.meal_date, terms)
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
    payBy: row.pay_by,
    receiptNumber,
    absent: row.absent,
    ...allowedNow({ status, placedAt, absent, substituted }, day, now),
    cancellableUntil: cancellableUntil({ placedAt, substituted }, day).toISOString(),
  }
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
  credit: row.credit,
  status: row.status,
  paymentStatus: row.payment_status,
  payBy: row.pay_by,
  placedAt: new Date(row.placed_at),
  lapsesAt: lapsesAtOf(row),
  remedy: row.remedy,
  closureId: row.closure_id,
  absenceCredit: row.absence_credit,
})

const lapsesAtOf = ({ status, payment_status, price, credit, lapses_at }: OrderRow): Date | null =>
  status === 'pending' && payment_status === 'pending' && price > credit && lapses_at !== null
    ? new Date(lapses_at)
    : null
