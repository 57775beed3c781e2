import type { Grade } from '#contracts/identity'
import type { Order } from '#contracts/ordering'
import type { EventOf } from '#kernel/event'
import { portionKeptUntil } from '#kernel/meal-line'
import { kwachaFromNgwee } from '#kernel/money'
import { rowView } from '#platform/projections/row-view'
import * as events from '../slot/events'
import {
  absentAtHatch,
  isMarkEvent,
  lunchGiven,
  markNotKept,
  markUndone,
  problemAtHatch,
} from '../slot/lunch-marks'
import { lapsesAfterReopening, portionAfterChange, type OrderedMeal, type SlotEvent } from '../slot/meal-slot'
import { allowedNow, cancellableUntil, mealDayOf, type FamilyTerms } from '../slot/order-permissions.decide'
import type { OrderFacts, OrderRow } from './order'

// A begun refund is no order state: it is owed until it has gone.
const { lunchReserved, reservationReleased, orderRefundBegun, orderRefundFailed, ...orderEvents } = events

const notOfOrders: ReadonlySet<string> = new Set(
  [lunchReserved, reservationReleased, orderRefundBegun, orderRefundFailed].map(({ type }) => type),
)

const orderEventTypes = [...Object.values(orderEvents), lunchGiven, absentAtHatch, problemAtHatch, markUndone]
export type OrderEvent = EventOf<(typeof orderEventTypes)[number]>

const isOrderEvent = (event: SlotEvent): event is OrderEvent =>
  isMarkEvent(event) ? event.type !== markNotKept.type : !notOfOrders.has(event.type)

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
        portion_until: lapsesAfterReopening(order.portion_until, event.data.at),
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
      return { ...order, payment_status: 'confirmed', paid_by_hand: event.data.byHand === true }
    case events.orderPaymentUndone.type:
      return { ...order, payment_status: 'pending', paid_by_hand: false, portion_until: null }
    case events.orderChanged.type:
      return {
        ...order,
        ...mealColumns(event.data.meal),
        portion_until: portionAfterChange(order.portion_until, order.cutoff_at, event.data),
        substituted: order.substituted || event.data.by === 'administrator',
        changes: order.changes + 1,
      }
    case events.absenceMarked.type: {
      const absence = { absent: true, absence_credit: event.data.credit, absence_ended: false }
      return { ...order, ...absence, absences_told: absencesToldAfter(order) }
    }
    case events.absenceTakenBack.type:
      return { ...order, absent: false, absence_credit: 0, absences_told: absencesToldAfter(order) }
    case lunchGiven.type: {
      const given = { given_mark: event.data.markId, given_at: event.data.deviceAt }
      return { ...order, ...given, absence_ended: order.absence_ended || order.absent }
    }
    case absentAtHatch.type:
      return { ...order, ...noticedAs('absent', event.data) }
    case problemAtHatch.type:
      return { ...order, ...noticedAs('problem', event.data) }
    case markUndone.type:
      return {
        ...order,
        ...(order.given_mark === event.data.undoes && { given_mark: null, given_at: null }),
        ...(order.noticed_mark === event.data.undoes && nothingNoticed),
      }
    case events.orderRefundStillOwed.type:
      return { ...order, status: 'cancelled' }
    case events.orderRefunded.type:
      return { ...order, status: 'refunded' }
  }
}

const noticedAs = (
  kind: 'absent' | 'problem',
  { markId, deviceAt }: EventOf<typeof absentAtHatch>['data'],
) => ({ noticed_kind: kind, noticed_mark: markId, noticed_at: deviceAt })

const nothingNoticed = { noticed_kind: null, noticed_mark: null, noticed_at: null }

/** Changes by the hatch do not count as the family's. */
const absencesToldAfter = ({ absences_told: told, absence_ended: byHatch }: OrderRow): number =>
  byHatch ? told : told + 1

export const orderFrom = (slotEvents: readonly SlotEvent[], orderId: string): OrderRow | null =>
  slotEvents.reduce<OrderRow | null>((order, event) => {
    if (!isOrderEvent(event)) return order
    return event.data.orderId === orderId ? evolveOrder(order, event) : order
  }, null)

const placed = (data: EventOf<typeof events.lunchOrdered>['data']): OrderRow => ({
  id: data.orderId,
  attempt_id: data.attemptId,
  line: data.index,
  user_id: data.userId,
  student_id: data.slot.studentId,
  student_name: data.student.name,
  student_grade: data.student.grade,
  student_class: data.student.class ?? null,
  cycle_id: data.slot.cycleId,
  week: data.slot.week,
  day: data.slot.day,
  meal_date: data.mealDate,
  ...mealColumns(data),
  credit: data.credit ?? 0,
  status: 'pending',
  payment_status: data.paymentStatus,
  paid_by_hand: false,
  pay_by: data.payBy ?? null,
  placed_at: data.at,
  cancelled_late: false,
  remedy: null,
  closure_id: null,
  cutoff_at: data.cutoffAt,
  late: data.late === true,
  lapses_at: data.late ? null : (data.lapsesAt ?? data.cutoffAt),
  portion_until: data.paymentStatus === 'pending' ? portionKeptUntil(data, data.at) : null,
  lapsed: false,
  absent: false,
  absence_credit: 0,
  absence_ended: false,
  absences_told: 0,
  changes: 0,
  given_mark: null,
  given_at: null,
  ...nothingNoticed,
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
    student_class: 'text',
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
    paid_by_hand: 'boolean',
    pay_by: 'text',
    placed_at: 'timestamptz',
    cancelled_late: 'boolean',
    remedy: 'text',
    closure_id: 'uuid',
    cutoff_at: 'timestamptz',
    late: 'boolean',
    lapses_at: 'timestamptz',
    portion_until: 'timestamptz',
    lapsed: 'boolean',
    absent: 'boolean',
    absence_credit: 'integer',
    absence_ended: 'boolean',
    absences_told: 'smallint',
    changes: 'smallint',
    given_mark: 'uuid',
    given_at: 'timestamptz',
    noticed_kind: 'text',
    noticed_mark: 'uuid',
    noticed_at: 'timestamptz',
    substituted: 'boolean',
    acknowledged: 'boolean',
  },
  primaryKey: 'id',
  events: orderEventTypes,
  key: ({ data }) => data.orderId,
  evolve: evolveOrder,
})

/** As of this instant on the server's clock; phones may be wrong. */
export const orderReply = (
  row: OrderRow,
  now: Date,
  terms: FamilyTerms,
  receiptNumber: string | null = null,
): Order => {
  const placedAt = new Date(row.placed_at)
  const {
    status,
    absent,
    substituted,
    late,
    paid_by_hand: paidByHand,
    changes,
    absences_told: absencesTold,
  } = row
  const given = row.given_at === null ? null : { student: row.student_name, at: new Date(row.given_at) }
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
    given: standingMark(row),
    ...allowedNow(
      { status, placedAt, absent, given, substituted, late, paidByHand, changes, absencesTold },
      day,
      now,
    ),
    cancellableUntil: cancellableUntil({ placedAt, substituted, late }, day).toISOString(),
  }
}

/** "Given" wins, as at the hatch (`effectiveMark`). */
const standingMark = ({
  given_at: givenAt,
  noticed_at: noticedAt,
  noticed_kind: kind,
}: OrderRow): Order['given'] => {
  if (givenAt !== null) return { at: new Date(givenAt).toISOString(), state: 'given' }
  return kind === null || noticedAt === null ? null : { at: new Date(noticedAt).toISOString(), state: kind }
}

export const factsOf = (row: OrderRow): OrderFacts => ({
  id: row.id,
  attemptId: row.attempt_id,
  line: row.line,
  userId: row.user_id,
  student: { name: row.student_name, grade: row.student_grade },
  item: { id: row.item_id, name: row.item_name },
  week: row.week,
  day: row.day,
  price: row.price,
  credit: row.credit,
  status: row.status,
  paymentStatus: row.payment_status,
  paidByHand: row.paid_by_hand,
  payBy: row.pay_by,
  placedAt: new Date(row.placed_at),
  mealDate: row.meal_date,
  lapsesAt: whileUnpaid(row, row.lapses_at),
  portionUntil: whileUnpaid(row, row.portion_until),
  remedy: row.remedy,
  closureId: row.closure_id,
  absenceCredit: row.absence_credit,
})

const whileUnpaid = (
  { status, payment_status, price, credit }: OrderRow,
  at: string | Date | null,
): Date | null =>
  status === 'pending' && payment_status === 'pending' && price > credit && at !== null ? new Date(at) : null
