import * as ordering from '#modules/ordering/published'
import type { EventOf } from '#kernel/event'
import { moneyOf } from '#kernel/meal-line'
import type { Ngwee } from '#kernel/money'
import { rowView, type OneRowView } from '#platform/projections/row-view'
import { bookingsOf, mealDateOf, type Method, type Movement } from './booking'

/** `credit`: part of the first price; `paid`: with the checkout, by a transfer, by hand before transfers existed, or not yet. */
type BookedOrder = {
  id: string
  user_id: number
  attempt_id: string
  method: Method
  price: Ngwee
  credit: Ngwee
  stands: boolean
  paid: boolean
  received: Ngwee
  transfer_id: string | null
}

export const bookedOrdersView = (zone: string, bookings: OneRowView) =>
  rowView({
    table: 'books.orders',
    columns: {
      id: 'text',
      user_id: 'integer',
      attempt_id: 'uuid',
      method: 'text',
      price: 'bigint',
      credit: 'bigint',
      stands: 'boolean',
      paid: 'boolean',
      received: 'bigint',
      transfer_id: 'uuid',
    },
    primaryKey: 'id',
    events: [
      ordering.lunchOrdered,
      ordering.orderCompleted,
      ordering.orderReopened,
      ordering.orderCancelled,
      ordering.orderWithdrawn,
      ordering.orderRefunded,
      ordering.orderPaymentConfirmed,
      ordering.orderPaymentUndone,
      ordering.orderChanged,
    ],
    key: ({ data }) => data.orderId,
    evolve: (row: BookedOrder | null, { type, data }): BookedOrder | null => {
      if (type === ordering.lunchOrdered.type) return placed(data)
      if (row === null) return null
      switch (type) {
        case ordering.orderCompleted.type:
        case ordering.orderReopened.type:
          return { ...row, stands: true }
        case ordering.orderCancelled.type:
        case ordering.orderWithdrawn.type:
        case ordering.orderRefunded.type:
          return { ...row, stands: false }
        case ordering.orderPaymentConfirmed.type: {
          const { transferId = null } = data
          const received = transferId === null ? toPay(row) : 0
          return { ...row, paid: true, transfer_id: transferId, received }
        }
        case ordering.orderPaymentUndone.type:
          return { ...row, paid: false, transfer_id: null, received: 0 }
        case ordering.orderChanged.type:
          return { ...row, price: data.meal.price }
      }
    },
    posting: {
      to: bookings,
      rowsOf: (before, after, event) =>
        after === null ? [] : bookingsOf(zone, event, movementsOf(before, after)),
    },
  })

const placed = (order: EventOf<typeof ordering.lunchOrdered>['data']): BookedOrder => ({
  id: order.orderId,
  user_id: order.userId,
  attempt_id: order.attemptId,
  method: order.payBy ?? (order.paymentStatus === 'confirmed' ? 'card' : 'other'),
  price: order.price,
  credit: order.price - moneyOf(order),
  stands: true,
  paid: order.paymentStatus === 'confirmed',
  received: 0,
  transfer_id: null,
})

/** Price less credit; a cheaper meal may cost less than the credit. */
const toPay = ({ price, credit }: BookedOrder): Ngwee => Math.max(0, price - credit)

const movementsOf = (before: BookedOrder | null, after: BookedOrder): Movement[] => {
  const { id: orderId, user_id: userId, attempt_id: attemptId, method } = after
  const common = { userId, attemptId, orderId, mealDate: mealDateOf(orderId) }
  const [was, is] = [standingOf(before), standingOf(after)]
  const received = after.received - (before?.received ?? 0)
  return [
    ...(was.stands !== is.stands || was.price !== is.price
      ? [{ ...common, kind: 'meal' as const, amount: is.price - was.price }]
      : []),
    ...changeOf('free_meal', is.free - was.free),
    ...changeOf('unpaid', is.unpaid - was.unpaid),
    ...changeOf('received', received).map((movement) => ({ ...movement, method, part: 0 })),
  ]

  function changeOf(kind: Movement['kind'], amount: number): Movement[] {
    return amount === 0 ? [] : [{ ...common, kind, amount }]
  }
}

const standingOf = (order: BookedOrder | null) =>
  order?.stands
    ? {
        stands: true,
        price: order.price,
        free: order.price === 0 ? 1 : 0,
        unpaid: order.paid ? 0 : toPay(order),
      }
    : { stands: false, price: 0, free: 0, unpaid: 0 }
