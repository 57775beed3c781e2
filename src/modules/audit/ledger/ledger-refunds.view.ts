import { refundDue, refundPaidBack, refundWithdrawn } from '#modules/refunds/published'
import { rowView } from '#platform/projections/row-view'
import type { LedgerRefund } from './ledger'

/** What is owed back and went back, for each refund. */
export const ledgerRefundsView = rowView({
  table: 'audit.ledger_refunds',
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
  primaryKey: 'id',
  events: [refundDue, refundWithdrawn, refundPaidBack],
  key: ({ data }) => data.refundId,
  evolve: (row: LedgerRefund | null, event): LedgerRefund | null => {
    switch (event.type) {
      case refundDue.type: {
        const { refundId: id, attemptId: attempt_id, orderId: order_id, part, amount } = event.data
        return {
          id,
          attempt_id,
          order_id,
          part: String(part),
          amount,
          owed: amount,
          paid_back: 0,
          status: 'due',
        }
      }
      case refundWithdrawn.type:
        return row && { ...row, owed: 0, status: 'withdrawn' }
      case refundPaidBack.type: {
        const { amount, stillOwed: owed } = event.data
        return (
          row && { ...row, owed, paid_back: row.paid_back + amount, status: owed === 0 ? 'paid_back' : 'due' }
        )
      }
    }
  },
})
