import type { Grade } from '#contracts/identity'
import type { Order as OrderReply } from '#contracts/ordering'
import { kwachaFromNgwee } from '#kernel/money'
import { rowView } from '#platform/projections/row-view'
import { cancellableUntil, mealDayOf, type FamilyTerms } from '../slot/deadlines.decide'
import * as events from '../slot/events'
import { absentAtHatch, lunchGiven, markUndone, problemAtHatch } from '../slot/lunch-marks'
import { evolveOrder, isListed, orderColumns, type OrderRow } from '../slot/order'
import type { OrderFacts } from '../slot/order-facts'
import { allowedNow } from '../slot/order-permissions.decide'
import { kitchenChangesOf, kitchenChangesView } from './kitchen-changes.view'

export const ordersView = rowView({
  table: 'ordering.orders',
  columns: orderColumns,
  primaryKey: 'id',
  // A begun refund is no order state: it is owed until it has gone.
  events: [
    events.lunchOrdered,
    events.orderCompleted,
    events.orderReopened,
    events.orderCancelled,
    events.orderWithdrawn,
    events.orderPaymentConfirmed,
    events.orderPaymentProven,
    events.orderPaymentUndone,
    events.orderRefundStillOwed,
    events.orderRefunded,
    events.orderChanged,
    events.absenceMarked,
    events.absenceTakenBack,
    lunchGiven,
    absentAtHatch,
    problemAtHatch,
    markUndone,
  ],
  key: ({ data }) => data.orderId,
  evolve: (row: OrderRow | null, event): OrderRow | null => {
    const order = evolveOrder(row, event)
    return order && isListed(order) ? order : null
  },
  posting: { to: kitchenChangesView, rowsOf: kitchenChangesOf },
})

/** As of this instant on the server's clock; phones may be wrong. */
export const orderReply = (
  row: OrderRow,
  now: Date,
  terms: FamilyTerms,
  receiptNumber: string | null = null,
): OrderReply => {
  const placedAt = new Date(row.placed_at)
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
    ...(isAbsencePaid(row) && { absenceCredit: kwachaFromNgwee(row.absence_credit) }),
    given: standingMark(row),
    ...allowedNow(row, day, now),
    cancellableUntil: cancellableUntil(row, day).toISOString(),
  }
}

const isAbsencePaid = ({ absence_credit: credit, payment_status: paid }: OrderRow) =>
  credit > 0 && paid === 'confirmed'

/** "Given" wins, as at the hatch (`effectiveMark`). */
const standingMark = ({
  given_at: givenAt,
  noticed_at: noticedAt,
  noticed_kind: kind,
}: OrderRow): OrderReply['given'] => {
  if (givenAt !== null) return { at: new Date(givenAt).toISOString(), state: 'given' }
  return kind === null || noticedAt === null ? null : { at: new Date(noticedAt).toISOString(), state: kind }
}

export const factsOf = (row: OrderRow): OrderFacts => ({
  id: row.id,
  attemptId: row.attempt_id,
  line: row.line,
  userId: row.user_id,
  studentId: row.student_id,
  student: { name: row.student_name, grade: row.student_grade, class: row.student_class },
  item: { id: row.item_id, name: row.item_name },
  category: row.category,
  sideDish: row.side_dish,
  week: row.week,
  day: row.day,
  originalPrice: row.original_price,
  price: row.price,
  credit: row.credit,
  status: row.status,
  paymentStatus: row.payment_status,
  paidByHand: row.paid_by_hand,
  proof: row.proof,
  payBy: row.pay_by,
  placedAt: new Date(row.placed_at),
  mealDate: row.meal_date,
  lapsesAt: whileUnpaid(row, row.lapses_at),
  portionUntil: whileUnpaid(row, row.portion_until),
  lapsed: row.lapsed,
  lapse: lapseOf(row),
  remedy: row.remedy,
  closureId: row.closure_id,
  absent: row.absent,
  absenceCredit: row.absence_credit,
  handedOut: row.given_at !== null,
})

const lapseOf = ({ lapsed, cancelled_late, portion_until, lapses_at }: OrderRow): Date | null => {
  const at = lapsed && !cancelled_late ? portion_until : lapses_at
  return at === null ? null : new Date(at)
}

const whileUnpaid = (
  { status, payment_status, price, credit }: OrderRow,
  at: string | Date | null,
): Date | null =>
  status === 'pending' && payment_status === 'pending' && price > credit && at !== null ? new Date(at) : null
