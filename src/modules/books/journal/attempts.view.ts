import { column, type RowOf } from '#kernel/column'
import type { EventOf } from '#kernel/event'
import { moneyOf } from '#kernel/meal-line'
import { type Ngwee, sum } from '#kernel/money'
import type { SchoolDate } from '#kernel/school-time'
import { creditSpent } from '#modules/credit/published'
import * as payments from '#modules/payments/published'
import { rowView, type OneRowView } from '#platform/projections/row-view'
import { bookingsOf, changeOf, lineName, sharesOf, type Method, type Movement } from './booking'

type DataOf<Type> = EventOf<Type>['data']

export type BookedLine = {
  index: number
  mealDate: SchoolDate
  price: Ngwee
  credit: Ngwee
  orderId: string | null
  /** What is owed back of a line that was given up. */
  waived: Ngwee | null
}

/**
 * `undecided`: mismatched, not judged yet. `claimed`: treated as paid without payment or judgement. `received` is null if the provider gave
 * no amount; `surplus` is owed back of it, `fee` came on top, `shortfall` was accepted as missing.
 */
const bookedAttemptColumns = {
  id: column<string>('uuid'),
  user_id: column<number>('integer'),
  kind: column<'card' | 'free' | 'alternative'>('text'),
  method: column<Method>('text'),
  reference: column<string | null>('text'),
  total: column<Ngwee>('bigint'),
  money: column<'none' | 'claimed' | 'undecided' | 'ours'>('text'),
  received: column<Ngwee | null>('bigint'),
  fee: column<Ngwee>('bigint'),
  shortfall: column<Ngwee>('bigint'),
  surplus: column<Ngwee>('bigint'),
  lines: column<BookedLine[]>('jsonb'),
}
export type BookedAttempt = RowOf<typeof bookedAttemptColumns>

const attemptEvents = [
  payments.checkoutStarted,
  payments.promptAsked,
  payments.cardPageChosen,
  payments.paymentVerified,
  payments.paymentMismatched,
  payments.mismatchAccepted,
  payments.ordersCreated,
  payments.linesBlocked,
  payments.linesAmended,
  payments.remainderWaived,
  creditSpent,
] as const

export const attemptsView = (zone: string, bookings: OneRowView) =>
  rowView({
    table: 'books.attempts',
    columns: bookedAttemptColumns,
    primaryKey: 'id',
    events: attemptEvents,
    key: ({ data }) => data.attemptId,
    evolve: (before: BookedAttempt | null, { type, data }): BookedAttempt | null => {
      const method = payments.methodTold({ type, data })
      if (type === payments.checkoutStarted.type) return begun(data, method)
      if (before === null) return null
      const row = method ? { ...before, method } : before
      switch (type) {
        case payments.promptAsked.type:
        case payments.cardPageChosen.type:
          return row
        case payments.paymentVerified.type:
          return { ...row, money: 'ours', received: data.amount, fee: data.fee }
        case payments.paymentMismatched.type:
          return { ...row, money: 'undecided', received: data.received, fee: 0 }
        case payments.mismatchAccepted.type: {
          const { amount: received, surplus, shortfall } = data
          return { ...row, money: 'ours', received, surplus, shortfall }
        }
        case payments.ordersCreated.type: {
          const lines = changed(row.lines, data.orders, (line, { orderId }) => ({ ...line, orderId }))
          return { ...row, money: claimedIn(row), lines }
        }
        case payments.linesBlocked.type:
          return { ...row, money: claimedIn(row) }
        case payments.linesAmended.type:
          return { ...row, lines: changed(row.lines, data.lines, amended) }
        case payments.remainderWaived.type:
          return waived(row, data)
        case creditSpent.type:
          return row
      }
    },
    posting: {
      to: bookings,
      rowsOf: (before, after, event) => bookingsOf(zone, event, attemptMovements(before, after, event)),
    },
  })

const begun = (
  data: DataOf<typeof payments.checkoutStarted>,
  method: payments.ProviderMethod | null,
): BookedAttempt => ({
  id: data.attemptId,
  user_id: data.userId,
  kind: data.kind,
  method: method ?? data.payBy ?? 'other',
  reference: data.companyRef,
  total: data.total,
  money: 'none',
  received: 0,
  fee: 0,
  shortfall: 0,
  surplus: 0,
  lines: data.lines.map(({ index, mealDate, price, credit = 0 }) => ({
    index,
    mealDate,
    price,
    credit,
    orderId: null,
    waived: null,
  })),
})

const amended = (
  line: BookedLine,
  { mealDate, price, credit = 0 }: DataOf<typeof payments.linesAmended>['lines'][number],
): BookedLine => ({ ...line, mealDate, price, credit })

const waived = (
  row: BookedAttempt,
  { lines: given, surplus }: DataOf<typeof payments.remainderWaived>,
): BookedAttempt => {
  const indexes = new Set(given.map(({ index }) => index))
  const prices = sum(row.lines.filter(({ index }) => indexes.has(index)).map(moneyOf))
  const owed = sum(given.map(({ amount }) => amount))
  return {
    ...row,
    lines: changed(row.lines, given, (line, { amount }) => ({ ...line, waived: amount })),
    money: 'ours',
    received: row.received ?? owed + surplus,
    surplus: row.surplus + surplus,
    // Waived lines no longer need their part of the shortfall.
    shortfall: Math.max(0, row.shortfall - (prices - owed)),
  }
}

const changed = <Change extends { index: number }>(
  lines: readonly BookedLine[],
  changes: readonly Change[],
  apply: (line: BookedLine, change: Change) => BookedLine,
): BookedLine[] => {
  const byIndex = new Map(changes.map((change) => [change.index, change]))
  return lines.map((line) => {
    const change = byIndex.get(line.index)
    return change ? apply(line, change) : line
  })
}

/** Lines are ordered or refused only once paid. */
const claimedIn = ({ kind, money }: BookedAttempt): BookedAttempt['money'] =>
  kind === 'card' && money !== 'ours' ? 'claimed' : money

export const attemptMovements = (
  before: BookedAttempt | null,
  after: BookedAttempt | null,
  event: EventOf<(typeof attemptEvents)[number]>,
): Movement[] => {
  if (after === null) return []
  if (event.type === creditSpent.type) return creditSpentOn(after, event.data.lines)
  const standing = before === null ? [] : accountsOf(before)
  const changes = changeOf(standing, accountsOf(after))
  const isMoved = standing.some(({ kind }) => kind === 'received')
  const received = changes.filter(({ kind }) => kind === 'received')
  return [
    ...received.map((movement, part) => ({ ...movement, part: isMoved ? null : part })),
    ...changes.filter(({ kind }) => kind !== 'received'),
  ]
}

const creditSpentOn = (
  { id: attemptId, user_id: userId, lines }: BookedAttempt,
  spent: DataOf<typeof creditSpent>['lines'],
): Movement[] =>
  spent.flatMap(({ index, amount }): Movement[] => {
    const common = { userId, attemptId, what: lineName(attemptId, index) }
    const mealDate = lines.find((line) => line.index === index)?.mealDate ?? null
    return [
      { ...common, kind: 'credit_spent', amount, mealDate },
      { ...common, kind: 'credit_held', amount: -amount },
      { ...common, kind: 'held', amount },
    ]
  })

const accountsOf = (row: BookedAttempt): Movement[] => {
  const { id: attemptId, user_id: userId, method, money, received, lines } = row
  const common = { userId, attemptId }
  if (money === 'undecided') return [{ ...common, kind: 'undecided', amount: received ?? 0 }]
  if (money !== 'ours') return []
  const meals = lines.filter((line) => line.waived === null)
  const owed = lines.map(({ index, waived }): Movement => {
    const what = lineName(attemptId, index)
    return { ...common, kind: 'to_pay_back', what, amount: waived ?? 0 }
  })
  if (row.kind !== 'card') return owed
  // By meal date; a surplus and what waived lines cost are for no meal.
  const shares = sharesOf([
    ...meals.map((line) => ({ mealDate: line.mealDate, amount: moneyOf(line) })),
    { mealDate: null, amount: (received ?? 0) - sum(meals.map(moneyOf)) },
  ])
  return [
    ...[...shares].map(([date, amount]): Movement => ({
      ...common,
      kind: 'received',
      method,
      amount,
      mealDate: date === '' ? null : date,
    })),
    { ...common, kind: 'written_off', amount: row.shortfall },
    { ...common, kind: 'fee', amount: row.fee },
    ...meals.map((line): Movement => {
      const what = lineName(attemptId, line.index)
      return { ...common, kind: 'held', what, amount: moneyOf(line) }
    }),
    ...owed,
    { ...common, kind: 'to_pay_back', what: `${attemptId}.surplus`, amount: row.surplus },
  ]
}
