import { column, type RowOf } from '#kernel/column'
import type { EventOf } from '#kernel/event'
import { moneyOf } from '#kernel/meal-line'
import { sum, type Ngwee, type Remedy } from '#kernel/money'
import { creditCharged, creditGiven, creditTakenBack } from '#modules/credit/published'
import * as ordering from '#modules/ordering/published'
import * as refunds from '#modules/refunds/published'
import { rowView, type OneRowView } from '#platform/projections/row-view'
import { bookingsOf, changeOf, lineName, mealDateOf, type Method, type Movement } from './booking'

/** Credit for a cheaper meal or an absence: a cancelled order does not give it again. */
type Deducted = { entryId: string; kind: 'absent' | 'changed'; amount: Ngwee }

/**
 * `paid`: `at-once` with the checkout, `later` when confirmed by a person; `money` is what came in so. `transfer_id` is null also where it
 * was confirmed before transfers had events. `charged`: credit for a dearer meal. A withdrawn order was never placed.
 */
const bookedOrderColumns = {
  id: column<string>('text'),
  user_id: column<number>('integer'),
  attempt_id: column<string>('uuid'),
  line: column<number>('integer'),
  cycle_id: column<number>('integer'),
  meal_date: column<string>('date'),
  method: column<Method>('text'),
  price: column<Ngwee>('bigint'),
  discount: column<Ngwee>('bigint'),
  placed_price: column<Ngwee>('bigint'),
  credit: column<Ngwee>('bigint'),
  money: column<Ngwee>('bigint'),
  paid: column<'at-once' | 'later' | 'not-yet'>('text'),
  transfer_id: column<string | null>('uuid'),
  status: column<'pending' | 'completed' | 'cancelled' | 'refunded' | 'withdrawn'>('text'),
  remedy: column<Remedy | null>('text'),
  charged: column<Ngwee>('bigint'),
  deducted: column<Deducted[]>('jsonb'),
  late: column<boolean>('boolean'),
}
export type BookedOrder = RowOf<typeof bookedOrderColumns>

export const stands = ({ status }: Pick<BookedOrder, 'status'>): boolean =>
  status === 'pending' || status === 'completed'

/** Price less credit; a cheaper meal may cost less than the credit. */
const toPay = ({ price, credit }: BookedOrder): Ngwee => Math.max(0, price - credit)

export const ordersView = (zone: string, bookings: OneRowView) =>
  rowView({
    table: 'books.orders',
    columns: bookedOrderColumns,
    primaryKey: 'id',
    events: [
      ordering.lunchOrdered,
      ordering.orderCompleted,
      ordering.orderReopened,
      ordering.orderCancelled,
      ordering.orderWithdrawn,
      ordering.orderRefundStillOwed,
      ordering.orderRefunded,
      ordering.orderPaymentConfirmed,
      ordering.orderPaymentUndone,
      ordering.orderChanged,
      creditGiven,
      creditTakenBack,
      creditCharged,
    ],
    key: ({ data }) => ('about' in data ? (data.about.orderId ?? '') : data.orderId),
    evolve: (row: BookedOrder | null, { type, data }): BookedOrder | null => {
      if (type === ordering.lunchOrdered.type) return placed(data)
      if (row === null) return null
      switch (type) {
        case ordering.orderCompleted.type:
          return { ...row, status: 'completed' }
        case ordering.orderReopened.type:
          return { ...row, status: 'pending', remedy: null }
        case ordering.orderCancelled.type:
          return { ...row, status: 'cancelled', remedy: data.remedy ?? 'refund' }
        case ordering.orderWithdrawn.type:
          return { ...row, status: 'withdrawn' }
        case ordering.orderRefundStillOwed.type:
          return { ...row, status: 'cancelled' }
        case ordering.orderRefunded.type:
          return { ...row, status: 'refunded' }
        case ordering.orderPaymentConfirmed.type:
          return { ...row, paid: 'later', money: toPay(row), transfer_id: data.transferId ?? null }
        case ordering.orderPaymentUndone.type:
          return { ...row, paid: 'not-yet', money: 0, transfer_id: null }
        case ordering.orderChanged.type:
          return {
            ...row,
            price: data.meal.price,
            discount: data.meal.originalPrice - data.meal.price,
            meal_date: data.moved?.mealDate ?? row.meal_date,
          }
        case creditCharged.type:
          return { ...row, charged: row.charged + data.amount }
        case creditTakenBack.type:
          return { ...row, deducted: row.deducted.filter(({ entryId }) => entryId !== data.entryId) }
        case creditGiven.type: {
          const { entryId, kind, amount } = data
          if (kind !== 'absent' && kind !== 'changed') return row
          return { ...row, deducted: [...row.deducted, { entryId, kind, amount }] }
        }
      }
    },
    posting: {
      to: bookings,
      // The first booking of an event about credit is that of the credit itself.
      rowsOf: (before, after, event) =>
        bookingsOf(zone, event, orderMovements(before, after), 'about' in event.data ? 1 : 0),
    },
  })

const placed = (order: EventOf<typeof ordering.lunchOrdered>['data']): BookedOrder => ({
  id: order.orderId,
  user_id: order.userId,
  attempt_id: order.attemptId,
  line: order.index,
  cycle_id: order.slot.cycleId,
  meal_date: order.mealDate,
  method: order.payBy ?? (order.paymentStatus === 'confirmed' ? 'card' : 'other'),
  price: order.price,
  discount: order.originalPrice - order.price,
  placed_price: order.price,
  credit: order.credit ?? 0,
  money: order.paymentStatus === 'confirmed' ? moneyOf(order) : 0,
  paid: order.paymentStatus === 'confirmed' ? 'at-once' : 'not-yet',
  transfer_id: null,
  status: 'pending',
  remedy: null,
  charged: 0,
  deducted: [],
  late: order.late ?? false,
})

export const orderMovements = (before: BookedOrder | null, after: BookedOrder | null): Movement[] => {
  // Serving a meal moves nothing; most events are that.
  if (after === null || (before?.status === 'pending' && after.status === 'completed')) return []
  return changeOf(before === null ? [] : accountsOf(before), accountsOf(after))
}

const accountsOf = (row: BookedOrder): Movement[] => {
  if (row.status === 'withdrawn') return []
  const { id: orderId, user_id: userId, attempt_id: attemptId, method, price, money, credit, charged } = row
  const about = { what: orderId, userId, attemptId, orderId, mealDate: row.meal_date }
  const later = row.paid === 'later' ? money : 0
  const source: Movement[] = [
    { ...about, kind: 'received', amount: row.transfer_id === null ? later : 0, method, part: 0 },
    { ...about, kind: 'transferred', amount: row.transfer_id === null ? 0 : -later },
    { ...about, kind: 'held', amount: later - money - credit, what: lineName(attemptId, row.line) },
    { ...about, kind: 'charged', amount: -charged },
    // It was ordered late, whatever becomes of it.
    { ...about, kind: 'late_meal', amount: row.late ? 1 : 0 },
  ]
  if (!stands(row)) return [...source, ...givenBack(row, about)]
  const unpaid = row.paid === 'not-yet' ? toPay(row) : 0
  return [
    { ...about, kind: 'meal', amount: price },
    { ...about, kind: 'discount', amount: row.discount },
    { ...about, kind: 'free_meal', amount: price === 0 ? 1 : 0 },
    { ...about, kind: 'unpaid', amount: unpaid },
    ...source,
    { ...about, kind: 'change', amount: money + credit + charged + unpaid - price },
  ]
}

/** Where the money and credit of an order go that does not stand; `remedy` says how. Credit for an absence is then credit for money. */
const givenBack = (
  { price, money, credit, charged, remedy, deducted }: BookedOrder,
  about: Omit<Movement, 'kind' | 'amount'>,
): Movement[] => {
  const before = (kind: Deducted['kind']) =>
    sum(deducted.filter((one) => one.kind === kind).map(({ amount }) => amount))
  const absent = before('absent')
  const all = Math.max(0, money + credit + charged - absent - before('changed'))
  const asMoney = remedy === 'credit' ? 0 : Math.min(price, money, all)
  return [
    { ...about, kind: 'change', amount: before('changed') },
    { ...about, kind: 'granted', amount: -absent },
    { ...about, kind: 'credit', amount: -absent },
    { ...about, kind: 'credit_given', amount: absent },
    { ...about, kind: 'to_pay_back', amount: asMoney },
    { ...about, kind: 'to_credit', amount: all - asMoney },
  ]
}

/** `amount` in all, `owed` still due, `paid_back` returned, `as_credit` of that as credit. */
const bookedRefundColumns = {
  id: column<string>('text'),
  user_id: column<number>('integer'),
  attempt_id: column<string>('uuid'),
  order_id: column<string | null>('text'),
  part: column<string>('text'),
  amount: column<Ngwee>('bigint'),
  owed: column<Ngwee>('bigint'),
  paid_back: column<Ngwee>('bigint'),
  status: column<'due' | 'withdrawn' | 'paid_back'>('text'),
  card: column<'under_way' | 'unclear' | 'failed' | null>('text'),
}
export type BookedRefund = RowOf<typeof bookedRefundColumns>

const refundEvents = [
  refunds.refundDue,
  refunds.refundWithdrawn,
  refunds.refundPaidBack,
  refunds.cardRefundRequested,
  refunds.cardRefundAnswered,
  refunds.cardRefundToBeChecked,
  refunds.cardRefundFoundFailed,
] as const
type RefundEvent = EventOf<(typeof refundEvents)[number]>

export const refundsView = (zone: string, bookings: OneRowView) =>
  rowView({
    table: 'books.refunds',
    columns: bookedRefundColumns,
    primaryKey: 'id',
    events: refundEvents,
    key: ({ data }) => data.refundId,
    evolve: (row: BookedRefund | null, { type, data }): BookedRefund | null => {
      if (type === refunds.refundDue.type) return opened(data)
      if (row === null) return null
      switch (type) {
        case refunds.refundWithdrawn.type:
          return { ...row, owed: 0, status: 'withdrawn', card: null }
        case refunds.cardRefundRequested.type:
          return { ...row, card: 'under_way' }
        case refunds.cardRefundAnswered.type:
          return { ...row, card: data.answer === 'refused' ? 'failed' : 'under_way' }
        case refunds.cardRefundToBeChecked.type:
          return { ...row, card: 'unclear' }
        case refunds.cardRefundFoundFailed.type:
          return { ...row, card: 'failed' }
        case refunds.refundPaidBack.type: {
          const paid = { ...row, owed: data.stillOwed, paid_back: row.paid_back + data.amount }
          return data.stillOwed === 0
            ? { ...paid, status: 'paid_back', card: null }
            : { ...paid, status: 'due' }
        }
      }
    },
    posting: {
      to: bookings,
      rowsOf: (before, after, event) => bookingsOf(zone, event, refundMovements(before, after, event)),
    },
  })

const opened = (due: EventOf<typeof refunds.refundDue>['data']): BookedRefund => ({
  id: due.refundId,
  user_id: due.userId,
  attempt_id: due.attemptId,
  order_id: due.orderId,
  part: String(due.part),
  amount: due.amount,
  owed: due.amount,
  paid_back: 0,
  status: 'due',
  card: null,
})

export const refundMovements = (
  before: BookedRefund | null,
  after: BookedRefund | null,
  event: RefundEvent,
): Movement[] => {
  if (after === null) return []
  const common = {
    what: after.id,
    userId: after.user_id,
    attemptId: after.attempt_id,
    orderId: after.order_id,
    mealDate: after.order_id === null ? null : mealDateOf(after.order_id),
  }
  const accountsOf = (row: BookedRefund | null): Movement[] =>
    row === null
      ? []
      : [
          { ...common, kind: 'owed', amount: row.owed },
          { ...common, kind: 'to_pay_back', amount: row.status === 'withdrawn' ? 0 : -row.amount },
        ]
  const changes = changeOf(accountsOf(before), accountsOf(after))
  if (event.type !== refunds.refundPaidBack.type) return changes
  const { method, amount, payoutId } = event.data
  if (method === 'credit') return [...changes, { ...common, kind: 'to_credit', amount, what: payoutId }]
  return [
    ...changes,
    method === 'given_up'
      ? { ...common, kind: 'given_up', amount }
      : { ...common, kind: 'paid_back', amount, sentBy: method },
    ...(method === 'cash' ? [{ ...common, kind: 'cash_refund' as const, amount }] : []),
  ]
}
