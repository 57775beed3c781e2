import { rowView } from '#platform/projections/row-view'
import { approvalEventTypes, payoutAsked, type Ask } from './approval'
import { refundEventTypes } from './refund'

export type ApprovalRow = {
  refund_id: string
  amount: number
  method: Ask['method']
  reference: string | null
  note: string | null
  to_card: boolean
  asked_by: number
  asked_at: string | Date
}

export const approvalsView = rowView({
  table: 'refunds.approvals',
  columns: {
    refund_id: 'text',
    amount: 'integer',
    method: 'text',
    reference: 'text',
    note: 'text',
    to_card: 'boolean',
    asked_by: 'integer',
    asked_at: 'timestamptz',
  },
  primaryKey: 'refund_id',
  events: [...refundEventTypes, ...approvalEventTypes],
  key: ({ data }) => data.refundId,
  /** Any other event ends the wait. */
  evolve: (_row: ApprovalRow | null, { type, data }): ApprovalRow | null => {
    if (type !== payoutAsked.type) return null
    const { refundId, amount, method, reference, note, toCard, by, at } = data
    return {
      refund_id: refundId,
      amount,
      method,
      reference,
      note,
      to_card: toCard,
      asked_by: by,
      asked_at: at,
    }
  },
})
