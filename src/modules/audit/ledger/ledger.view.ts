import { sum } from '#kernel/money'
import * as ordering from '#modules/ordering/published'
import * as payments from '#modules/payments/published'
import type { EventOf } from '#kernel/event'
import { lunchId } from '#kernel/id'
import { lunchOf, moneyOf } from '#kernel/meal-line'
import { rowView } from '#platform/projections/row-view'
import { toPayFor, type LedgerAttempt, type LedgerLine, type LedgerOrder } from './ledger'

type DataOf<Type> = EventOf<Type>['data']

export const ledgerAttemptsView = rowView({
  table: 'audit.ledger_attempts',
  columns: {
    id: 'uuid',
    kind: 'text',
    reference: 'text',
    total: 'bigint',
    money: 'text',
    received: 'bigint',
    fee: 'bigint',
    shortfall: 'bigint',
    surplus: 'bigint',
    lines: 'jsonb',
    changed_at: 'timestamptz',
  },
  primaryKey: 'id',
  events: [
    payments.checkoutStarted,
    payments.paymentVerified,
    payments.paymentMismatched,
    payments.mismatchAccepted,
    payments.ordersCreated,
    payments.linesBlocked,
    payments.linesAmended,
    payments.remainderWaived,
  ],
  key: ({ data }) => data.attemptId,
  evolve: (row: LedgerAttempt | null, { type, data }): LedgerAttempt | null => {
    if (type === payments.checkoutStarted.type) return begun(data)
    if (row === null) return null
    switch (type) {
      case payments.paymentVerified.type:
        return { ...row, money: 'ours', received: data.amount, fee: data.fee, changed_at: data.at }
      case payments.paymentMismatched.type:
        return { ...row, money: 'undecided', received: data.received, fee: 0, changed_at: data.at }
      case payments.mismatchAccepted.type: {
        const { amount: received, surplus, shortfall, at } = data
        return { ...row, money: 'ours', received, surplus, shortfall, changed_at: at }
      }
      case payments.ordersCreated.type: {
        const lines = changed(row.lines, data.orders, (line, { orderId }) => ({ ...line, orderId }))
        return { ...row, money: claimedIn(row), lines }
      }
      case payments.linesBlocked.type:
        return { ...row, money: claimedIn(row) }
      case payments.linesAmended.type:
        return { ...row, lines: changed(row.lines, data.lines, (line, { price }) => ({ ...line, price })) }
      case payments.remainderWaived.type:
        return waived(row, data)
    }
  },
})

const begun = ({
  attemptId,
  kind,
  companyRef,
  total,
  lines,
  at,
}: DataOf<typeof payments.checkoutStarted>): LedgerAttempt => ({
  id: attemptId,
  kind,
  reference: companyRef,
  total,
  money: 'none',
  received: 0,
  fee: 0,
  shortfall: 0,
  surplus: 0,
  lines: lines.map(({ index, price, credit = 0 }) => ({
    index,
    price,
    credit,
    orderId: null,
    waived: null,
  })),
  changed_at: at,
})

const waived = (
  row: LedgerAttempt,
  { lines: given, surplus, at }: DataOf<typeof payments.remainderWaived>,
): LedgerAttempt => {
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
    changed_at: at,
  }
}

const changed = <Change extends { index: number }>(
  lines: readonly LedgerLine[],
  changes: readonly Change[],
  apply: (line: LedgerLine, change: Change) => LedgerLine,
): LedgerLine[] => {
  const byIndex = new Map(changes.map((change) => [change.index, change]))
  return lines.map((line) => {
    const change = byIndex.get(line.index)
    return change ? apply(line, change) : line
  })
}

/** Lines are ordered or refused only once paid. */
const claimedIn = ({ kind, money }: LedgerAttempt): LedgerAttempt['money'] =>
  kind === 'card' && money !== 'ours' ? 'claimed' : money

export const ledgerOrdersView = rowView({
  table: 'audit.ledger_orders',
  columns: {
    id: 'text',
    attempt_id: 'uuid',
    line: 'integer',
    cycle_id: 'integer',
    slot: 'text',
    price: 'bigint',
    placed_price: 'bigint',
    money: 'bigint',
    credit: 'bigint',
    paid: 'text',
    transfer_id: 'uuid',
    status: 'text',
    remedy: 'text',
    changed_at: 'timestamptz',
  },
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
  ],
  key: ({ data }) => data.orderId,
  evolve: (row: LedgerOrder | null, { type, data }): LedgerOrder | null => {
    if (type === ordering.lunchOrdered.type) return placed(data)
    if (row === null) return null
    switch (type) {
      case ordering.orderCompleted.type:
        return { ...row, status: 'completed', changed_at: data.at }
      case ordering.orderReopened.type:
        return { ...row, status: 'pending', remedy: null, changed_at: data.at }
      case ordering.orderCancelled.type:
        return { ...row, status: 'cancelled', remedy: data.remedy ?? 'refund', changed_at: data.at }
      case ordering.orderWithdrawn.type:
        return { ...row, status: 'withdrawn', changed_at: data.at }
      case ordering.orderRefundStillOwed.type:
        return { ...row, status: 'cancelled', changed_at: data.at }
      case ordering.orderRefunded.type:
        return { ...row, status: 'refunded', changed_at: data.at }
      case ordering.orderPaymentConfirmed.type:
        return { ...row, paid: 'later', money: toPayFor(row), transfer_id: data.transferId ?? null }
      case ordering.orderPaymentUndone.type:
        return { ...row, paid: 'not-yet', money: 0, transfer_id: null, changed_at: data.at }
      case ordering.orderChanged.type:
        return { ...row, price: data.meal.price, changed_at: data.at }
    }
  },
})

const placed = (order: DataOf<typeof ordering.lunchOrdered>): LedgerOrder => ({
  id: order.orderId,
  attempt_id: order.attemptId,
  line: order.index,
  cycle_id: order.slot.cycleId,
  slot: lunchId(lunchOf(order)),
  price: order.price,
  placed_price: order.price,
  money: order.paymentStatus === 'confirmed' ? moneyOf(order) : 0,
  credit: order.credit ?? 0,
  paid: order.paymentStatus === 'confirmed' ? 'at-once' : 'not-yet',
  transfer_id: null,
  status: 'pending',
  remedy: null,
  changed_at: order.at,
})
