import { creditSpent } from '#modules/credit/published'
import * as payments from '#modules/payments/published'
import type { EventOf } from '#kernel/event'
import type { SchoolDate } from '#kernel/school-time'
import { moneyOf } from '#kernel/meal-line'
import { type Ngwee, sum } from '#kernel/money'
import { rowView, type OneRowView } from '#platform/projections/row-view'
import { bookingsOf, receivedMovements, sharesOf, type Method, type Movement, type Shares } from './booking'

type BookedLine = { index: number; mealDate: SchoolDate; money: Ngwee; waived: boolean }

/** `received`: by card, null before; `reported`: a mismatched amount of the provider; `shortfall`: accepted as missing. */
type BookedAttempt = {
  id: string
  user_id: number
  method: Method
  received: Ngwee | null
  reported: Ngwee | null
  shortfall: Ngwee
  lines: BookedLine[]
}

const attemptEvents = [
  payments.checkoutStarted,
  payments.paymentVerified,
  payments.paymentMismatched,
  payments.mismatchAccepted,
  payments.linesAmended,
  payments.remainderWaived,
  creditSpent,
] as const
type AttemptEvent = EventOf<(typeof attemptEvents)[number]>

export const bookedAttemptsView = (zone: string, bookings: OneRowView) =>
  rowView({
    table: 'books.attempts',
    columns: {
      id: 'uuid',
      user_id: 'integer',
      method: 'text',
      received: 'bigint',
      reported: 'bigint',
      shortfall: 'bigint',
      lines: 'jsonb',
    },
    primaryKey: 'id',
    events: attemptEvents,
    key: ({ data }) => data.attemptId,
    evolve: (row: BookedAttempt | null, { type, data }): BookedAttempt | null => {
      if (type === payments.checkoutStarted.type) return begun(data)
      if (row === null) return null
      switch (type) {
        case payments.paymentVerified.type:
          return { ...row, received: data.amount }
        case payments.paymentMismatched.type:
          return { ...row, reported: data.received }
        case payments.mismatchAccepted.type:
          return { ...row, received: data.amount, shortfall: data.shortfall }
        case payments.linesAmended.type: {
          const amended = new Map(data.lines.map((line) => [line.index, bookedLine(line)]))
          return { ...row, lines: row.lines.map((line) => amended.get(line.index) ?? line) }
        }
        case payments.remainderWaived.type:
          return waived(row, data)
        case creditSpent.type:
          return row
      }
    },
    posting: {
      to: bookings,
      rowsOf: (before, after, event) =>
        after === null ? [] : bookingsOf(zone, event, movementsOf(before ?? after, after, event)),
    },
  })

const begun = (data: EventOf<typeof payments.checkoutStarted>['data']): BookedAttempt => ({
  id: data.attemptId,
  user_id: data.userId,
  method: data.kind === 'card' ? 'card' : (data.payBy ?? 'other'),
  received: null,
  reported: null,
  shortfall: 0,
  lines: data.lines.map(bookedLine),
})

const bookedLine = (line: EventOf<typeof payments.checkoutStarted>['data']['lines'][number]): BookedLine => ({
  index: line.index,
  mealDate: line.mealDate,
  money: moneyOf(line),
  waived: false,
})

/** As in the audit's ledger: waived lines no longer need the shortfall. */
const waived = (
  row: BookedAttempt,
  data: EventOf<typeof payments.remainderWaived>['data'],
): BookedAttempt => {
  const indexes = new Set(data.lines.map(({ index }) => index))
  const prices = sum(row.lines.filter(({ index }) => indexes.has(index)).map(({ money }) => money))
  const owed = sum(data.lines.map(({ amount }) => amount))
  return {
    ...row,
    received: row.received ?? row.reported ?? owed + data.surplus,
    shortfall: Math.max(0, row.shortfall - (prices - owed)),
    lines: row.lines.map((line) => (indexes.has(line.index) ? { ...line, waived: true } : line)),
  }
}

const movementsOf = (before: BookedAttempt, after: BookedAttempt, event: AttemptEvent): Movement[] => {
  const common = { userId: after.user_id, attemptId: after.id }
  if (event.type === creditSpent.type)
    return event.data.lines.map(({ index, amount }) => ({
      ...common,
      kind: 'credit_spent',
      amount,
      mealDate: after.lines.find((line) => line.index === index)?.mealDate ?? null,
    }))
  const missing = after.shortfall - before.shortfall
  return [
    ...receivedMovements(receivedFor(before), receivedFor(after), { ...common, method: after.method }),
    ...(missing === 0 ? [] : [{ ...common, kind: 'written_off' as const, amount: missing }]),
  ]
}

/** Money received by meal date; `''` holds surplus and waived lines. */
const receivedFor = ({ received, lines }: BookedAttempt): Shares => {
  if (received === null) return sharesOf([])
  const meals = lines.filter((line) => !line.waived)
  const rest = received - sum(meals.map(({ money }) => money))
  return sharesOf([
    ...meals.map(({ mealDate, money }) => ({ mealDate, amount: money })),
    { mealDate: null, amount: rest },
  ])
}
