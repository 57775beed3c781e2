import { refundDue, refundPaidBack, refundWithdrawn } from '#modules/refunds/published'
import type { EventOf } from '#kernel/event'
import type { Ngwee } from '#kernel/money'
import { rowView, type OneRowView } from '#platform/projections/row-view'
import { bookingsOf, mealDateOf, type Movement } from './booking'

/** Money owed back, as the books need it. */
type BookedRefund = {
  id: string
  user_id: number
  attempt_id: string
  order_id: string | null
  owed: Ngwee
}

const refundEvents = [refundDue, refundWithdrawn, refundPaidBack] as const
type RefundEvent = EventOf<(typeof refundEvents)[number]>

/** Refunds, and the bookings of what is owed back and what went back. */
export const bookedRefundsView = (zone: string, bookings: OneRowView) =>
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
        after === null ? [] : bookingsOf(zone, event, movementsOf(before, after, event)),
    },
  })

const movementsOf = (before: BookedRefund | null, after: BookedRefund, event: RefundEvent): Movement[] => {
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

/** What became credit stands with the family's credit. */
const wentBack = ({
  method,
  amount,
}: EventOf<typeof refundPaidBack>['data']): Pick<Movement, 'kind' | 'amount'>[] => {
  if (method === 'credit') return []
  return [{ kind: method === 'given_up' ? 'given_up' : 'paid_back', amount }]
}
