import { approvePayout, listPayouts, withdrawPayout, type WaitingPayout } from '#contracts/approvals'
import { kwachaFromNgwee } from '#kernel/money'
import { route, withFeature, type Route } from '#platform/http/route'
import type { CreditNeeds } from './needs'
import { approveAsked, withdrawAsked } from './payout-approval.commands'
import { waitingPayouts } from './payout-approvals.rows'
import type { PayoutApprovalRow } from './payout-approvals.view'

/** Payouts of credit that wait for another administrator, and what is done about them. */
export const payoutApprovalRoutes = (needs: CreditNeeds): Route[] => [
  route(listPayouts, withFeature('refunds'), async ({ query, user }) => {
    const rows = await waitingPayouts(needs.database.knex, query.parentId)
    const people = await needs.identity.peopleOf(rows.flatMap((row) => [row.user_id, row.asked_by]))
    const usernameOf = (userId: number) => people.get(userId)?.username ?? ''
    const nameOf = (userId: number) => people.get(userId)?.name ?? ''
    return { data: rows.map((row) => waitingReply(row, { usernameOf, nameOf, administrator: user.userId })) }
  }),

  route(approvePayout, withFeature('refunds'), async ({ params, user, actor, correlationId }) => {
    const by = { actor, correlationId }
    await approveAsked(needs)({ payoutId: params.id, administrator: user.userId, by })
    return { id: params.id, state: 'paidOut' as const }
  }),

  route(withdrawPayout, withFeature('refunds'), async ({ params, user, actor, correlationId }) => {
    const by = { actor, correlationId }
    await withdrawAsked(needs)({ payoutId: params.id, administrator: user.userId, by })
    return { id: params.id, state: 'withdrawn' as const }
  }),
]

type Shown = {
  usernameOf: (userId: number) => string
  nameOf: (userId: number) => string
  administrator: number
}

const waitingReply = (
  row: PayoutApprovalRow,
  { usernameOf, nameOf, administrator }: Shown,
): WaitingPayout => ({
  id: row.payout_id,
  parent: { id: row.user_id, username: usernameOf(row.user_id), name: nameOf(row.user_id) },
  amount: kwachaFromNgwee(row.amount),
  method: row.method,
  reference: row.reference,
  note: null,
  toCard: false,
  approval: { by: usernameOf(row.asked_by), at: new Date(row.asked_at).toISOString() },
  allowed: { approve: row.asked_by !== administrator, withdraw: true },
})
