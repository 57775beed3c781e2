import { column, type RowOf } from '#kernel/column'
import type { EventOf, DomainEvent } from '#kernel/event'
import type { Ngwee } from '#kernel/money'
import * as credit from '#modules/credit/published'
import { transferConfirmed, transferUndone } from '#modules/transfers/published'
import type { RecordedEvent } from '#platform/event-store/event-store'
import {
  rowView,
  type OneRowView,
  touchReader,
  type Recorded,
  type Row,
} from '#platform/projections/row-view'
import { attemptsView, attemptMovements, type BookedAttempt } from './attempts.view'
import {
  bookingColumns,
  bookingsOf,
  lineName,
  mealDateOf,
  sharesOf,
  type Account,
  type Booking,
  type Method,
  type Movement,
} from './booking'
import {
  ordersView,
  orderMovements,
  refundMovements,
  refundsView,
  type BookedOrder,
  type BookedRefund,
} from './orders.view'

const bookedTransferColumns = {
  id: column<string>('uuid'),
  method: column<Method>('text'),
}
type BookedTransfer = RowOf<typeof bookedTransferColumns>

const transferEvents = [transferConfirmed, transferUndone] as const

const transfersView = (zone: string, bookings: OneRowView) =>
  rowView({
    table: 'books.transfers',
    columns: bookedTransferColumns,
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

const transferMovements = ({ type, data }: EventOf<(typeof transferEvents)[number]>): Movement[] =>
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
    columns: bookingColumns,
    primaryKey: 'id',
    events: creditEvents,
    key: ({ id }) => `${id}.0`,
    evolve: (_row: Booking | null, event): Booking | null =>
      bookingsOf(zone, event, creditMovements(event))[0] ?? null,
  })

const creditMovements = ({ type, data }: CreditEvent): Movement[] => {
  const { userId, amount } = data
  if (type === credit.creditPaidOut.type) {
    const { method } = data
    return [
      { userId, kind: 'credit', amount: -amount },
      method === 'given_up'
        ? { userId, kind: 'given_up', amount }
        : {
            userId,
            kind: 'credit_paid_out',
            amount,
            method: method === 'cash' ? 'cash' : null,
            sentBy: method,
          },
    ]
  }
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

export type JournalRows = {
  attempts: ReadonlyMap<string, BookedAttempt>
  orders: ReadonlyMap<string, BookedOrder>
  refunds: ReadonlyMap<string, BookedRefund>
}

type JournalFold = { add: (events: readonly RecordedEvent[]) => void; rows: JournalRows }

type Rule = (before: never, after: never, event: never) => Movement[]

/** Folds events in memory by the rules of the views, and records all movements, also those that are not stored. */
export const journalFold = (
  record: (event: Recorded<DomainEvent>, movements: readonly Movement[]) => void,
): JournalFold => {
  // No day of a booking is asked for.
  const views = bookingViews('UTC') as [OneRowView, OneRowView, OneRowView, OneRowView, OneRowView]
  const [bookings, attempts, orders, refunds, transfers] = views
  const rules = new Map<OneRowView, Rule>([
    [bookings, (_before, _after, event) => creditMovements(event)],
    [attempts, attemptMovements],
    [orders, orderMovements],
    [refunds, refundMovements],
    [transfers, (_before, _after, event) => transferMovements(event)],
  ])
  const tables = new Map(views.map((view) => [view, new Map<string, Row>()]))
  const rows = {
    attempts: tables.get(attempts),
    orders: tables.get(orders),
    refunds: tables.get(refunds),
  } as unknown as JournalRows
  const touchesOf = touchReader(views)

  const add = (events: readonly RecordedEvent[]): void => {
    for (const { view, keys, event } of touchesOf(events)) {
      const [key] = keys as [string]
      const one = view as OneRowView
      const table = tables.get(one)!
      const before = table.get(key) ?? null
      const after = one.evolve(before, event)
      if (after !== null && one !== bookings) table.set(key, after)
      record(event, rules.get(one)!(before as never, after as never, event as never))
    }
  }
  return { add, rows }
}
