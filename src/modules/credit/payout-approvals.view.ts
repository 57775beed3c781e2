import type { Ngwee } from '#kernel/money'
import { rowView } from '#platform/projections/row-view'
import {
  creditPayoutApproved,
  creditPayoutWithdrawn,
  payoutApprovalTypes,
  type PayoutAsk,
} from './payout-approval'

/** A payout of credit that waits, or waited, for the approval of another administrator. */
export type PayoutApprovalRow = {
  payout_id: string
  user_id: number
  state: PayoutAsk['state']
  amount: Ngwee
  method: PayoutAsk['method']
  reference: string | null
  asked_by: number
  asked_at: string | Date
}

export const payoutApprovalsView = rowView({
  table: 'credit.payout_approvals',
  columns: {
    payout_id: 'uuid',
    user_id: 'integer',
    state: 'text',
    amount: 'integer',
    method: 'text',
    reference: 'text',
    asked_by: 'integer',
    asked_at: 'timestamptz',
  },
  primaryKey: 'payout_id',
  events: payoutApprovalTypes,
  key: ({ data }) => data.payoutId,
  evolve: (row: PayoutApprovalRow | null, { type, data }): PayoutApprovalRow | null => {
    if (type === creditPayoutApproved.type) return row && { ...row, state: 'approved' }
    if (type === creditPayoutWithdrawn.type) return row && { ...row, state: 'withdrawn' }
    const { payoutId, userId, amount, method, reference, by, at } = data
    return {
      payout_id: payoutId,
      user_id: userId,
      state: 'waiting',
      amount,
      method,
      reference,
      asked_by: by,
      asked_at: at,
    }
  },
})
