import * as credit from '#modules/credit/published'
import * as refunds from '#modules/refunds/published'
import { transferConfirmed, transferUndone } from '#modules/transfers/published'
import type { EventOf } from '#kernel/event'
import type { Ngwee } from '#kernel/money'
import { rowView, type OneRowView } from '#platform/projections/row-view'
import { attemptsView } from './attempts.view'
import {
  bookingsOf,
  changeOf,
  lineName,
  mealDateOf,
  sharesOf,
  type Account,
  type Booking,
  type Method,
  type Movement,
} from './booking'
import { ordersView } from './orders.view'

/** `amount` in all, `owed` still due, `paid_back` returned, `as_credit` of that as credit. */
export type BookedRefund = {
  id: string
  user_id: number
  attempt_id: string
  order_id: string | null
  part: string
  amount: Ngwee
  owed: Ngwee
  paid_back: Ngwee
  status: 'due' | 'withdrawn' | 'paid_back'
  card: 'under_way' | 'unclear' | 'failed' | null
}

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

const refundsView = (zone: string, bookings: OneRowView) =>
  rowView({
    table: 'books.refunds',
    columns: {
      id: 'text',
      user_id: 'integer',
      attempt_id: 'uuid',
      order_id: 'text',
      part: 'text',
      amount: 'bigint',
      owed: 'bigint',
      paid_back: 'bigint',
      status: 'text',
      card: 'text',
    },
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
  return [...changes, { ...common, kind: method === 'given_up' ? 'given_up' : 'paid_back', amount }]
}

type BookedTransfer = { id: string; method: Method }

const transferEvents = [transferConfirmed, transferUndone] as const

const transfersView = (zone: string, bookings: OneRowView) =>
  rowView({
    table: 'books.transfers',
    columns: { id: 'uuid', method: 'text' },
    primaryKey: 'id',
    events: transferEvents,
    key: ({ data }) => data.transferId,
    evolve: (_row: BookedTransfer | null, { data: { transferId: id, method } }): BookedTransfer => ({
      id,
      method,
    }),
    posting: {
      to: bookings,
      rowsOf: (_before, _after, event) => bookingsOf(zone, event, transferMovements(event)),
    },
  })

export const transferMovements = ({ type, data }: EventOf<(typeof transferEvents)[number]>): Movement[] =>
  data.families.flatMap(({ userId, orders, surplus }): Movement[] => {
    const isConfirmed = type === transferConfirmed.type
    const sign = isConfirmed ? 1 : -1
    const shares = sharesOf([
      ...orders.map(({ orderId, amount }) => ({ mealDate: mealDateOf(orderId), amount })),
      { mealDate: null, amount: surplus },
    ])
    return [
      ...[...shares].map(([date, amount], part): Movement => ({
        kind: isConfirmed ? 'received' : 'paid_back',
        userId,
        amount,
        method: data.method,
        mealDate: date === '' ? null : date,
        part,
      })),
      ...orders.map(({ orderId, amount }): Movement => ({
        kind: 'transferred',
        userId,
        amount: sign * amount,
        what: orderId,
      })),
      { kind: 'to_credit', userId, amount: sign * surplus, what: surplusEntry(data, userId) },
    ]
  })

const surplusEntry = (
  { transferId, confirmationId }: { transferId: string; confirmationId: string },
  userId: number,
): string => `transfer/${transferId}/${confirmationId}/${userId}`

const creditEvents = [
  credit.creditGiven,
  credit.creditTakenBack,
  credit.creditHeld,
  credit.creditReleased,
  credit.creditCharged,
  credit.creditPaidOut,
] as const
type CreditEvent = EventOf<(typeof creditEvents)[number]>

const bookingsView = (zone: string) =>
  rowView({
    table: 'books.bookings',
    columns: {
      id: 'text',
      event_id: 'uuid',
      at: 'timestamptz',
      booked: 'date',
      meal: 'date',
      kind: 'text',
      method: 'text',
      amount: 'bigint',
      part: 'integer',
      user_id: 'integer',
      attempt_id: 'uuid',
      order_id: 'text',
    },
    primaryKey: 'id',
    events: creditEvents,
    key: ({ id }) => `${id}.0`,
    evolve: (_row: Booking | null, event): Booking | null =>
      bookingsOf(zone, event, creditMovements(event))[0] ?? null,
  })

export const creditMovements = ({ type, data }: CreditEvent): Movement[] => {
  const { userId, amount } = data
  if (type === credit.creditPaidOut.type)
    return [
      { userId, kind: 'credit', amount: -amount },
      { userId, kind: data.method === 'given_up' ? 'given_up' : 'credit_paid_out', amount },
    ]
  const { attemptId, about } = data
  const { orderId } = about
  const mealDate = orderId === null ? null : mealDateOf(orderId)
  const common = { userId, attemptId, orderId, mealDate, ...(orderId !== null && { what: orderId }) }
  switch (type) {
    case credit.creditGiven.type:
      return given(data, common, 1)
    case credit.creditTakenBack.type:
      return given(data, common, -1)
    case credit.creditCharged.type:
      return [
        { ...common, kind: 'credit_spent', amount },
        { ...common, kind: 'credit', amount: -amount },
        { ...common, kind: 'charged', amount },
      ]
    case credit.creditHeld.type:
    case credit.creditReleased.type: {
      const sign = type === credit.creditHeld.type ? 1 : -1
      return [
        { userId, attemptId, kind: 'credit', amount: -sign * amount },
        ...data.lines.map((line): Movement => ({
          userId,
          attemptId,
          kind: 'credit_held',
          amount: sign * line.amount,
          what: lineName(data.attemptId, line.index),
        })),
      ]
    }
  }
}

type Given = { entryId: string; amount: Ngwee }

const given = ({ entryId, amount }: Given, common: Omit<Movement, 'kind' | 'amount'>, sign: 1 | -1) => {
  if (isGrant(entryId))
    return [
      { ...common, kind: 'granted', amount: sign * amount },
      { ...common, kind: 'credit', amount: sign * amount },
    ] satisfies Movement[]
  return [
    { ...common, kind: 'credit_given', amount: sign * amount },
    { ...common, amount: -sign * amount, ...awaitedBy(entryId, common.orderId ?? null) },
  ] satisfies Movement[]
}

/** A gift, or absence credit beyond what the family paid for. */
const isGrant = (entryId: string): boolean => /^(gift|absence)\//.test(entryId)

/** The account that waits for this credit. */
const awaitedBy = (entryId: string, orderId: string | null): Pick<Movement, 'what'> & { kind: Account } => {
  const [reason, id = '', , paidFor = ''] = entryId.split('/')
  if (reason === 'change' || reason === 'returned')
    return { kind: 'change', ...(orderId !== null && { what: orderId }) }
  if (reason === 'refund') return { kind: 'to_credit', what: id }
  if (reason === 'transfer' && paidFor.includes('.')) return { kind: 'transferred', what: paidFor }
  return { kind: 'to_credit', what: reason === 'order' ? id : entryId }
}

export const bookingViews = (zone: string): OneRowView[] => {
  const bookings = bookingsView(zone)
  const others = [attemptsView, ordersView, refundsView, transfersView]
  return [bookings, ...others.map((view) => view(zone, bookings))]
}
