import type { Knex } from 'knex'
import {
  approvalRefused,
  approvePayout,
  listPayouts,
  withdrawPayout,
  type WaitingPayout,
} from '#contracts/refunds'
import { column, type RowOf } from '#kernel/column'
import { kwachaFromNgwee, type Ngwee, type Proof } from '#kernel/money'
import type { Reader } from '#platform/database'
import { commandHandler, loadStream, handleCommand, type By } from '#platform/event-store/command-handler'
import { answeredOnce, route, withFeature, type Route } from '#platform/http/route'
import type { Ports } from '#platform/ports'
import { rowView } from '#platform/projections/row-view'
import { type CreditNeeds, leavingBy, countPayout } from './count-payout.commands'
import { askOf, payoutApproval } from './family-credit.decide'
import {
  creditGiftAsked,
  creditPayoutApproved,
  creditPayoutWithdrawn,
  payoutApprovalTypes,
  type PayoutAsk,
  type AskedPayout,
} from './payouts'
import { approvalTied, refusal } from './refusals'

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
  /** Includes the asker, and accounts that may be the same person as the caller. */
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
  proof: row.proof,
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

/** One of two concurrent approvals counts. Throws `approval_asker_gone` or `approval_own` (both may be one person). */
const approveAsked =
  (needs: CreditNeeds) =>
  async ({ payoutId, administrator, by }: Judged): Promise<PayoutAsk['kind']> => {
    const userId = await familyOf(needs, payoutId)
    const { kind } = await handleCommand(needs, by, async (now) => {
      const loaded = await loadStream(needs.eventStore, payoutApproval, userId)
      const approve = { kind: 'approve', payoutId, by: administrator, now } as const
      const events = payoutApproval.decide(approve, loaded.state)
      const ask = askOf(loaded.state, payoutId)
      if (events.length === 0) return { changes: [{ loaded, events }], kind: ask.kind }
      if (!(await needs.identity.holdsFeature(ask.by, 'refunds'))) throw refusal('approval_asker_gone')
      if ((await needs.identity.tiedTo(administrator, [ask.by])).has(ask.by)) throw approvalTied()
      const { userId: family, kind, amount } = ask
      const out = await countPayout(needs)([leavingBy({ userId: family, kind, payoutId, amount })], now)
      const approved = { loaded, events, idSeed: `approve/${payoutId}/${administrator}` }
      return { changes: [...out.changes, approved], kind }
    })
    return kind
  }

const withdrawAsked = (needs: CreditNeeds) => {
  const handle = commandHandler(payoutApproval, needs)
  return async ({ payoutId, administrator, by }: Judged): Promise<void> => {
    const userId = await familyOf(needs, payoutId)
    await handle(userId, by, (credit, now) =>
      payoutApproval.decide({ kind: 'withdraw', payoutId, by: administrator, now }, credit),
    )
  }
}

const maxPayouts = 500

/** Oldest first, at most 500. */
const waitingPayouts = (knex: Knex, userId: number | undefined): Promise<PayoutApprovalRow[]> =>
  knex<PayoutApprovalRow>('credit.payout_approvals')
    .where({ state: 'waiting', ...(userId !== undefined && { user_id: userId }) })
    .orderBy(['asked_at', 'payout_id'])
    .limit(maxPayouts)

/** Who asked for each payout or gift that waits, at most 500. */
export const payoutsAskedBy = async (at: Reader): Promise<number[]> => {
  const { rows } = await at.query<{ by: number }>(
    `select asked_by as by from credit.payout_approvals where state = 'waiting' order by asked_at limit $1`,
    [maxPayouts],
  )
  return rows.map(({ by }) => by)
}

const userOfPayout = async (knex: Knex, payoutId: string): Promise<number | null> => {
  const [userId] = await knex<PayoutApprovalRow>('credit.payout_approvals')
    .where({ payout_id: payoutId })
    .pluck('user_id')
  return userId ?? null
}

const payoutApprovalColumns = {
  payout_id: column<string>('uuid'),
  user_id: column<number>('integer'),
  state: column<PayoutAsk['state']>('text'),
  amount: column<Ngwee>('integer'),
  kind: column<PayoutAsk['kind']>('text'),
  method: column<AskedPayout['method'] | null>('text'),
  reference: column<string | null>('text'),
  reason: column<string | null>('text'),
  proof: column<Proof | null>('text'),
  asked_by: column<number>('integer'),
  asked_at: column<string | Date>('timestamptz'),
}
type PayoutApprovalRow = RowOf<typeof payoutApprovalColumns>

export const payoutApprovalsView = rowView({
  table: 'credit.payout_approvals',
  columns: payoutApprovalColumns,
  primaryKey: 'payout_id',
  events: payoutApprovalTypes,
  key: ({ data }) => data.payoutId,
  evolve: (row: PayoutApprovalRow | null, { type, data }): PayoutApprovalRow | null => {
    if (type === creditPayoutApproved.type) return row && { ...row, state: 'approved' }
    if (type === creditPayoutWithdrawn.type) return row && { ...row, state: 'withdrawn' }
    const { payoutId: payout_id, userId: user_id, amount, by: asked_by, at: asked_at } = data
    const waiting = { payout_id, user_id, state: 'waiting', amount, asked_by, asked_at } as const
    if (type === creditGiftAsked.type)
      return { ...waiting, kind: 'gift', method: null, reference: null, reason: data.text, proof: null }
    const { method, reference, proof = 'provider' } = data
    return { ...waiting, kind: 'payout', method, reference, reason: null, proof }
  },
})
