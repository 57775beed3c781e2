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
import { rowView } from '#platform/projections/row-view'
import type { LedgerAttempt, LedgerLine } from './ledger'

/** The money of each payment attempt. */
export const ledgerAttemptsView = rowView<LedgerAttempt>({
  name: 'audit-ledger-attempts',
  table: 'audit.ledger_attempts',
  key: 'id',
  columns: {
    id: 'uuid',
    kind: 'text',
    reference: 'text',
    total: 'bigint',
    started_at: 'timestamptz',
    money: 'text',
    received: 'bigint',
    fee: 'bigint',
    shortfall: 'bigint',
    surplus: 'bigint',
    lines: 'jsonb',
    changed_at: 'timestamptz',
  },
})

const attemptOf = ({ data }: { data: { attemptId: string } }) => data.attemptId

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

ledgerAttemptsView
  .anew(checkoutStarted, attemptOf, ({ data }) => ({
    id: data.attemptId,
    kind: data.kind,
    reference: data.companyRef,
    total: data.total,
    started_at: data.at,
    money: 'none',
    received: 0,
    fee: 0,
    shortfall: 0,
    surplus: 0,
    lines: data.lines.map(({ index, price }) => ({ index, price, orderId: null, waived: null })),
    changed_at: data.at,
  }))
  .on(
    paymentVerified,
    attemptOf,
    (row, { data: { amount, fee, at } }) =>
      row && { ...row, money: 'ours', received: amount, fee, changed_at: at },
  )
  .on(
    paymentMismatched,
    attemptOf,
    (row, { data: { received, at } }) =>
      row && { ...row, money: 'undecided', received, fee: 0, changed_at: at },
  )
  .on(
    mismatchAccepted,
    attemptOf,
    (row, { data: { amount, surplus, shortfall, at } }) =>
      row && { ...row, money: 'ours', received: amount, surplus, shortfall, changed_at: at },
  )
  .on(
    ordersCreated,
    attemptOf,
    (row, { data }) =>
      row && {
        ...row,
        money: claimedIn(row),
        lines: changed(row.lines, data.orders, (line, { orderId }) => ({ ...line, orderId })),
      },
  )
  .on(linesBlocked, attemptOf, (row) => row && { ...row, money: claimedIn(row) })
  .on(
    linesAmended,
    attemptOf,
    (row, { data }) =>
      row && { ...row, lines: changed(row.lines, data.lines, (line, { price }) => ({ ...line, price })) },
  )
  .on(remainderWaived, attemptOf, (row, { data: { lines: waived, surplus, at } }) => {
    if (!row) return row
    const given = new Set(waived.map(({ index }) => index))
    const prices = sum(row.lines.filter(({ index }) => given.has(index)).map(({ price }) => price))
    const owed = sum(waived.map(({ amount }) => amount))
    return {
      ...row,
      lines: changed(row.lines, waived, (line, { amount }) => ({ ...line, waived: amount })),
      money: 'ours',
      received: row.received ?? owed + surplus,
      surplus: row.surplus + surplus,
      // Of what was accepted as missing, the lines that are given up no longer need their part.
      shortfall: Math.max(0, row.shortfall - (prices - owed)),
      changed_at: at,
    }
  })
