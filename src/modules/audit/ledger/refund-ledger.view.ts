import {
  cardRefundAnswered,
  cardRefundFoundFailed,
  cardRefundRequested,
  cardRefundToBeChecked,
  refundDue,
  refundPaidBack,
  refundWithdrawn,
} from '#modules/refunds/published'
import { rowView } from '#platform/projections/row-view'
import type { LedgerRefund } from './ledger'

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
    as_credit: 'bigint',
    status: 'text',
    card: 'text',
  },
  primaryKey: 'id',
  events: [
    refundDue,
    refundWithdrawn,
    refundPaidBack,
    cardRefundRequested,
    cardRefundAnswered,
    cardRefundToBeChecked,
    cardRefundFoundFailed,
  ],
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
          as_credit: 0,
          status: 'due',
          card: null,
        }
      }
      case refundWithdrawn.type:
        return row && { ...row, owed: 0, status: 'withdrawn', card: null }
      case cardRefundRequested.type:
        return row && { ...row, card: 'under_way' }
      case cardRefundAnswered.type:
        return row && { ...row, card: event.data.answer === 'refused' ? 'failed' : 'under_way' }
      case cardRefundToBeChecked.type:
        return row && { ...row, card: 'unclear' }
      case cardRefundFoundFailed.type:
        return row && { ...row, card: 'failed' }
      case refundPaidBack.type: {
        const { amount, stillOwed: owed, method } = event.data
        if (row === null) return null
        const as_credit = row.as_credit + (method === 'credit' ? amount : 0)
        const status = owed === 0 ? 'paid_back' : 'due'
        const card = owed === 0 ? null : row.card
        return { ...row, owed, paid_back: row.paid_back + amount, as_credit, status, card }
      }
    }
  },
})
