import type { Ngwee } from '#kernel/money'
import { rowView } from '#platform/projections/row-view'
import {
  creditGiftAsked,
  creditPayoutApproved,
  creditPayoutWithdrawn,
  payoutApprovalTypes,
  type AskedPayout,
  type PayoutAsk,
} from './payout-approval'

export type PayoutApprovalRow = {
  payout_id: string
  user_id: number
  state: PayoutAsk['state']
  amount: Ngwee
  kind: PayoutAsk['kind']
  method: AskedPayout['method'] | null
  reference: string | null
  reason: string | null
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
    kind: 'text',
    method: 'text',
    reference: 'text',
    reason: 'text',
    asked_by: 'integer',
    asked_at: 'timestamptz',
  },
  primaryKey: 'payout_id',
  events: payoutApprovalTypes,
  key: ({ data }) => data.payoutId,
  evolve: (row: PayoutApprovalRow | null, { type, data }): PayoutApprovalRow | null => {
    if (type === creditPayoutApproved.type) return row && { ...row, state: 'approved' }
    if (type === creditPayoutWithdrawn.type) return row && { ...row, state: 'withdrawn' }
    const { payoutId: payout_id, userId: user_id, amount, by: asked_by, at: asked_at } = data
    const waiting = { payout_id, user_id, state: 'waiting', amount, asked_by, asked_at } as const
    if (type === creditGiftAsked.type)
      return { ...waiting, kind: 'gift', method: null, reference: null, reason: data.text }
    const { method, reference } = data
    return { ...waiting, kind: 'payout', method, reference, reason: null }
  },
})
