import { transferConfirmed, transferUndone } from '#modules/payments/published'
import type { EventOf } from '#kernel/event'
import { rowView, type OneRowView } from '#platform/projections/row-view'
import { bookingsOf, mealDateOf, sharesOf, type Method, type Movement } from './booking'

/** The method of a transfer. */
type BookedTransfer = { id: string; method: Method }

const transferEvents = [transferConfirmed, transferUndone] as const
type TransferEvent = EventOf<(typeof transferEvents)[number]>

/** Transfers, and the bookings of what they paid for each family, and of that being undone. */
export const bookedTransfersView = (zone: string, bookings: OneRowView) =>
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
      rowsOf: (_before, _after, event) => bookingsOf(zone, event, movementsOf(event)),
    },
  })

const movementsOf = ({ type, data: { families, method } }: TransferEvent): Movement[] =>
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
