import {
  approvalRefused,
  approvePayout,
  listPayouts,
  withdrawPayout,
  type WaitingPayout,
} from '#contracts/refunds'
import { kwachaFromNgwee } from '#kernel/money'
import { answeredOnce, route, withFeature, type Route } from '#platform/http/route'
import type { CreditNeeds } from './needs'
import type { PayoutApprovalRow } from './payout-approvals.view'
import { countPayout } from './daily-payouts.commands'
import type { Ports } from '#platform/ports'
import { commandHandler, loadStream, type By, handleUntilShown } from '#platform/event-store/command-handler'
import { askOf, payoutApproval } from './payout-approval.decide'
import type { PayoutAsk } from './payout-approval'
import { approvalTied, refusal } from './refusals'
import type { Knex } from 'knex'

export const payoutApprovalRoutes = (needs: CreditNeeds): Route[] => [
  route(listPayouts, withFeature('refunds'), async ({ query, user }) => {
    const rows = await waitingPayouts(needs.database.knex, query.parentId)
    const people = await needs.identity.peopleOf(rows.flatMap((row) => [row.user_id, row.asked_by]))
    const usernameOf = (userId: number) => people.get(userId)?.username ?? ''
    const nameOf = (userId: number) => people.get(userId)?.name ?? ''
    const tied = await needs.identity.tiedTo(
      user.userId,
      rows.map((row) => row.asked_by),
    )
    const shown = { usernameOf, nameOf, tied, administrator: user.userId }
    return { data: rows.map((row) => waitingReply(row, shown)) }
  }),

  route(
    approvePayout,
    withFeature('refunds'),
    async ({ params, user, by }) => {
      const kind = await approveAsked(needs)({ payoutId: params.id, administrator: user.userId, by })
      return { id: params.id, state: kind === 'gift' ? ('given' as const) : ('paidOut' as const) }
    },
    answeredOnce,
  ),

  route(
    withdrawPayout,
    withFeature('refunds'),
    async ({ params, user, by }) => {
      await withdrawAsked(needs)({ payoutId: params.id, administrator: user.userId, by })
      return { id: params.id, state: 'withdrawn' as const }
    },
    answeredOnce,
  ),
]

type Shown = {
  usernameOf: (userId: number) => string
  nameOf: (userId: number) => string
  /** The asker, and accounts that may be the same person as the caller. */
  tied: ReadonlySet<number>
  administrator: number
}

const waitingReply = (
  row: PayoutApprovalRow,
  { usernameOf, nameOf, tied, administrator }: Shown,
): WaitingPayout => ({
  id: row.payout_id,
  kind: row.kind,
  parent: { id: row.user_id, username: usernameOf(row.user_id), name: nameOf(row.user_id) },
  amount: kwachaFromNgwee(row.amount),
  method: row.method,
  reference: row.reference,
  note: row.reason,
  toCard: false,
  approval: { by: usernameOf(row.asked_by), at: new Date(row.asked_at).toISOString() },
  allowed: { approve: !tied.has(row.asked_by), withdraw: true },
  ...(tied.has(row.asked_by) && {
    why: { approve: approvalRefused[row.asked_by === administrator ? 'own' : 'tied'] },
  }),
})

type Judged = { payoutId: string; administrator: number; by: By }

const familyOf = async ({ database }: Ports, payoutId: string): Promise<number> => {
  const userId = await userOfPayout(database.knex, payoutId)
  if (userId === null) throw refusal('payout_not_found')
  return userId
}

/**
 * Executes an approved payout or gift; of two concurrent approvals one does. Throws `approval_asker_gone` when the asker lost the right,
 * `approval_own` when both may be one person.
 */
const approveAsked =
  (needs: CreditNeeds) =>
  async ({ payoutId, administrator, by }: Judged): Promise<PayoutAsk['kind']> => {
    const userId = await familyOf(needs, payoutId)
    const { kind } = await handleUntilShown(needs, by, async (now) => {
      const loaded = await loadStream(needs.eventStore, payoutApproval, userId)
      const approve = { kind: 'approve', payoutId, by: administrator, now } as const
      const events = payoutApproval.decide(approve, loaded.state)
      const ask = askOf(loaded.state, payoutId)
      if (events.length === 0) return { changes: [{ loaded, events }], kind: ask.kind }
      if (!(await needs.identity.holdsFeature(ask.by, 'refunds'))) throw refusal('approval_asker_gone')
      if ((await needs.identity.tiedTo(administrator, [ask.by])).has(ask.by)) throw approvalTied()
      const out = await countPayout(needs)(leavingBy(ask), now)
      const approved = { loaded, events, idSeed: `approve/${payoutId}/${administrator}` }
      return { changes: [out.change, approved], kind: ask.kind }
    })
    return kind
  }

export const leavingBy = ({
  userId,
  kind,
  payoutId,
  amount,
}: {
  userId: number
  kind: 'payout' | 'gift'
  payoutId: string
  amount: number
}) => ({ userId, kind, of: payoutId, most: amount, actId: payoutId, amount })

const withdrawAsked = (needs: CreditNeeds) => {
  const handle = commandHandler(payoutApproval, needs)
  return async ({ payoutId, administrator, by }: Judged): Promise<void> => {
    const userId = await familyOf(needs, payoutId)
    const { position } = await handle(userId, by, (credit, now) =>
      payoutApproval.decide({ kind: 'withdraw', payoutId, by: administrator, now }, credit),
    )
    if (position !== null) await needs.waitForViews(position)
  }
}

const maxPayouts = 500

/** Oldest first, at most 500. */
const waitingPayouts = (knex: Knex, userId: number | undefined): Promise<PayoutApprovalRow[]> =>
  knex<PayoutApprovalRow>('credit.payout_approvals')
    .where({ state: 'waiting', ...(userId !== undefined && { user_id: userId }) })
    .orderBy(['asked_at', 'payout_id'])
    .limit(maxPayouts)

const userOfPayout = async (knex: Knex, payoutId: string): Promise<number | null> => {
  const [userId] = await knex<PayoutApprovalRow>('credit.payout_approvals')
    .where({ payout_id: payoutId })
    .pluck('user_id')
  return userId ?? null
}
