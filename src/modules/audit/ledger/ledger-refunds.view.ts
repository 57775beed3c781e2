import { refundDue, refundPaidBack, refundWithdrawn } from '#modules/refunds/published'
import { rowView } from '#platform/projections/row-view'
import type { LedgerRefund } from './ledger'

/** What is owed back and went back, for each refund. */
export const ledgerRefundsView = rowView<LedgerRefund>({
  name: 'audit-ledger-refunds',
  table: 'audit.ledger_refunds',
  key: 'id',
  columns: {
    id: 'text',
    attempt_id: 'uuid',
    order_id: 'text',
    part: 'text',
    amount: 'bigint',
    owed: 'bigint',
    paid_back: 'bigint',
    status: 'text',
  },
})

const refundOf = ({ data }: { data: { refundId: string } }) => data.refundId

ledgerRefundsView
  .on(refundDue, refundOf, (_row, { data }) => ({
    id: data.refundId,
    attempt_id: data.attemptId,
    order_id: data.orderId,
    part: String(data.part),
    amount: data.amount,
    owed: data.amount,
    paid_back: 0,
    status: 'due',
  }))
  .on(refundWithdrawn, refundOf, (row) => row && { ...row, owed: 0, status: 'withdrawn' })
  .on(
    refundPaidBack,
    refundOf,
    (row, { data: { amount, stillOwed } }) =>
      row && {
        ...row,
        owed: stillOwed,
        paid_back: row.paid_back + amount,
        status: stillOwed === 0 ? 'paid_back' : 'due',
      },
  )
