import {
  checkoutStarted,
  linesAmended,
  linesBlocked,
  mismatchAccepted,
  ordersCreated,
  paymentMismatched,
  paymentVerified,
  remainderWaived,
} from '#modules/payments/published'
import type { EventOf } from '#kernel/event'
import { rowView } from '#platform/projections/row-view'
import type { LedgerAttempt, LedgerLine } from './ledger'

/** The money of each payment attempt. */
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
    checkoutStarted,
    paymentVerified,
    paymentMismatched,
    mismatchAccepted,
    ordersCreated,
    linesBlocked,
    linesAmended,
    remainderWaived,
  ],
  key: ({ data }) => data.attemptId,
  evolve: (row: LedgerAttempt | null, { type, data }): LedgerAttempt | null => {
    if (type === checkoutStarted.type) return begun(data)
    if (row === null) return null
    switch (type) {
      case paymentVerified.type:
        return { ...row, money: 'ours', received: data.amount, fee: data.fee, changed_at: data.at }
      case paymentMismatched.type:
        return { ...row, money: 'undecided', received: data.received, fee: 0, changed_at: data.at }
      case mismatchAccepted.type: {
        const { amount: received, surplus, shortfall, at } = data
        return { ...row, money: 'ours', received, surplus, shortfall, changed_at: at }
      }
      case ordersCreated.type: {
        const lines = changed(row.lines, data.orders, (line, { orderId }) => ({ ...line, orderId }))
        return { ...row, money: claimedIn(row), lines }
      }
      case linesBlocked.type:
        return { ...row, money: claimedIn(row) }
      case linesAmended.type:
        return { ...row, lines: changed(row.lines, data.lines, (line, { price }) => ({ ...line, price })) }
      case remainderWaived.type:
        return waived(row, data)
    }
  },
})

type DataOf<Type> = EventOf<Type>['data']

const begun = ({
  attemptId,
  kind,
  companyRef,
  total,
  lines,
  at,
}: DataOf<typeof checkoutStarted>): LedgerAttempt => ({
  id: attemptId,
  kind,
  reference: companyRef,
  total,
  money: 'none',
  received: 0,
  fee: 0,
  shortfall: 0,
  surplus: 0,
  lines: lines.map(({ index, price }) => ({ index, price, orderId: null, waived: null })),
  changed_at: at,
})

const waived = (
  row: LedgerAttempt,
  { lines: given, surplus, at }: DataOf<typeof remainderWaived>,
): LedgerAttempt => {
  const indexes = new Set(given.map(({ index }) => index))
  const prices = sum(row.lines.filter(({ index }) => indexes.has(index)).map(({ price }) => price))
  const owed = sum(given.map(({ amount }) => amount))
  return {
    ...row,
    lines: changed(row.lines, given, (line, { amount }) => ({ ...line, waived: amount })),
    money: 'ours',
    received: row.received ?? owed + surplus,
    surplus: row.surplus + surplus,
    // Of what was accepted as missing, the lines that are given up no longer need their part.
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

const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0)

/** Meals are only ordered, or found impossible to order, once they are paid for. */
const claimedIn = ({ kind, money }: LedgerAttempt): LedgerAttempt['money'] =>
  kind === 'card' && money !== 'ours' ? 'claimed' : money
