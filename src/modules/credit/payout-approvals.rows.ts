import type { Knex } from 'knex'
import type { PayoutApprovalRow } from './payout-approvals.view'

const mostPayouts = 500

/** The payouts that wait for approval, of one family or of all, the oldest first, at most 500. */
export const waitingPayouts = (knex: Knex, userId: number | undefined): Promise<PayoutApprovalRow[]> =>
  knex<PayoutApprovalRow>('credit.payout_approvals')
    .where({ state: 'waiting', ...(userId !== undefined && { user_id: userId }) })
    .orderBy(['asked_at', 'payout_id'])
    .limit(mostPayouts)

/** Whose payout was asked for by this request; null when none was. */
export const userOfPayout = async (knex: Knex, payoutId: string): Promise<number | null> => {
  const [userId] = await knex<PayoutApprovalRow>('credit.payout_approvals')
    .where({ payout_id: payoutId })
    .pluck('user_id')
  return userId ?? null
}
