import { refundDue, refundPaidBack, refundWithdrawn } from '#modules/refunds/published'
import type { EventOf } from '#kernel/event'
import type { Ngwee } from '#kernel/money'
import { rowView, type OneRowView } from '#platform/projections/row-view'
import { bookingsOf, mealDateOf, type Movement, sharesOf, type Method, type Booking } from './booking'
import { transferConfirmed, transferUndone } from '#modules/transfers/published'
import { creditCharged, creditGiven, creditPaidOut, creditTakenBack } from '#modules/credit/published'
import { bookedAttemptsView } from './booked-attempts.view'
import { bookedOrdersView } from './booked-orders.view'

type BookedRefund = {
  id: string
  user_id: number
  attempt_id: string
  order_id: string | null
  owed: Ngwee
}

const refundEvents = [refundDue, refundWithdrawn, refundPaidBack] as const
type RefundEvent = EventOf<(typeof refundEvents)[number]>

const bookedRefundsView = (zone: string, bookings: OneRowView) =>
  rowView({
    table: 'books.refunds',
    columns: { id: 'text', user_id: 'integer', attempt_id: 'uuid', order_id: 'text', owed: 'bigint' },
    primaryKey: 'id',
    events: refundEvents,
    key: ({ data }) => data.refundId,
    evolve: (row: BookedRefund | null, { type, data }): BookedRefund | null => {
      switch (type) {
        case refundDue.type: {
          const { refundId: id, userId: user_id, attemptId: attempt_id, orderId: order_id, amount } = data
          return { id, user_id, attempt_id, order_id, owed: amount }
        }
        case refundWithdrawn.type:
          return row && { ...row, owed: 0 }
        case refundPaidBack.type:
          return row && { ...row, owed: data.stillOwed }
      }
    },
    posting: {
      to: bookings,
      rowsOf: (before, after, event) =>
        after === null ? [] : bookingsOf(zone, event, refundMovements(before, after, event)),
    },
  })

const refundMovements = (
  before: BookedRefund | null,
  after: BookedRefund,
  event: RefundEvent,
): Movement[] => {
  const common = {
    userId: after.user_id,
    attemptId: after.attempt_id,
    orderId: after.order_id,
    mealDate: after.order_id === null ? null : mealDateOf(after.order_id),
  }
  const owed = after.owed - (before?.owed ?? 0)
  return [
    ...(owed === 0 ? [] : [{ ...common, kind: 'owed' as const, amount: owed }]),
    ...(event.type === refundPaidBack.type ? wentBack(event.data).map((one) => ({ ...common, ...one })) : []),
  ]
}

const wentBack = ({
  method,
  amount,
}: EventOf<typeof refundPaidBack>['data']): Pick<Movement, 'kind' | 'amount'>[] => {
  if (method === 'credit') return []
  return [{ kind: method === 'given_up' ? 'given_up' : 'paid_back', amount }]
}

type BookedTransfer = { id: string; method: Method }

const transferEvents = [transferConfirmed, transferUndone] as const
type TransferEvent = EventOf<(typeof transferEvents)[number]>

const bookedTransfersView = (zone: string, bookings: OneRowView) =>
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

const transferMovements = ({ type, data: { families, method } }: TransferEvent): Movement[] =>
  families.flatMap(({ userId, orders, surplus }) => {
    const shares = sharesOf([
      ...orders.map(({ orderId, amount }) => ({ mealDate: mealDateOf(orderId), amount })),
      { mealDate: null, amount: surplus },
    ])
    return [...shares].map(([date, amount], index): Movement => ({
      kind: type === transferConfirmed.type ? 'received' : 'paid_back',
      userId,
      amount,
      method,
      mealDate: date === '' ? null : date,
      part: index,
    }))
  })

const creditEvents = [creditGiven, creditTakenBack, creditCharged, creditPaidOut] as const
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
    evolve: (_row: Booking | null, event): Booking => bookingsOf(zone, event, [creditMovement(event)])[0]!,
  })

export const bookingViews = (zone: string): OneRowView[] => {
  const bookings = bookingsView(zone)
  const others = [bookedAttemptsView, bookedOrdersView, bookedRefundsView, bookedTransfersView]
  return [bookings, ...others.map((view) => view(zone, bookings))]
}

const creditMovement = ({ type, data }: CreditEvent): Movement => {
  const { userId, amount } = data
  if (type === creditPaidOut.type)
    return { userId, kind: data.method === 'given_up' ? 'given_up' : 'credit_paid_out', amount }
  const { orderId } = data.about
  const common = {
    userId,
    attemptId: data.attemptId,
    orderId,
    mealDate: orderId === null ? null : mealDateOf(orderId),
  }
  switch (type) {
    case creditGiven.type:
      return { ...common, kind: isGrant(data.entryId) ? 'granted' : 'credit_given', amount }
    case creditTakenBack.type:
      return { ...common, kind: isGrant(data.entryId) ? 'granted' : 'credit_given', amount: -amount }
    case creditCharged.type:
      return { ...common, kind: 'credit_spent', amount }
  }
}

/** A gift, or absence credit beyond what the family paid for. */
const isGrant = (entryId: string): boolean => /^(gift|absence)\//.test(entryId)
