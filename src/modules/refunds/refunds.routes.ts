import type { BodyOf } from '#contracts/endpoint'
import type { Grade } from '#contracts/identity'
import {
  approvalRefused,
  approveRefund,
  completeRefund,
  completeRefunds,
  listRefunds,
  ownRefunds,
  refundToCredit,
  withdrawRefund,
  type ListedRefund,
  type Refund as RefundReply,
} from '#contracts/refunds'
import { kwachaFromNgwee, missingProof, ngweeFromKwacha } from '#kernel/money'
import { advanced, loadStream, handleCommand, type By } from '#platform/event-store/command-handler'
import { pageMetadataOf } from '#platform/http/paging'
import { answeredOnce, knowsItsKey, onlyRoles, route, withFeature, type Route } from '#platform/http/route'
import { requestCardRefund } from './card-refund.commands'
import type { OwedNeeds, RefundsNeeds } from './ports'
import { isAskedAs, owedOf, refundIdOfPart, type Due, type Refund } from './refund'
import { turnIntoCredit } from './refund-as-credit.commands'
import {
  payBackMany,
  payBackRefund,
  payoutIdFor,
  proofOfDue,
  leaving,
  needTwoPersons,
  withdrawAsked,
  orderChanges,
  type PayBack,
} from './refund.commands'
import { approvalDecider, waitingIn } from './refund.decide'
import { withCardRefunds, approvalsOf, refundsOfPayer, refundsPage } from './refunds.rows'
import type { ApprovalRow, RefundRow } from './refunds.view'
import { refusal } from './refusals'

const pageSize = 50

export const refundRoutes = (needs: OwedNeeds): Route[] => [
  route(
    completeRefunds,
    withFeature('refunds'),
    async (call) => {
      const { body, user, idempotencyKey, by } = call
      const { ids: refundIds, method, reference, note } = body
      const done = await payBackMany(needs)({
        refundIds,
        payout: { method, reference: reference || null, note: note || null, by: user.userId },
        idempotencyKey,
        by,
      })
      return { ...done, amount: kwachaFromNgwee(done.amount) }
    },
    knowsItsKey,
  ),

  route(
    refundToCredit,
    withFeature('refunds'),
    async (call) => {
      const { params, user, idempotencyKey, by } = call
      const refund = await turnIntoCredit(needs)({
        refundId: params.id,
        idempotencyKey,
        administrator: user.userId,
        by,
      })
      return refundReply(refund)
    },
    knowsItsKey,
  ),

  route(ownRefunds, onlyRoles('parent', 'teacher'), async ({ user }) => {
    const attemptIds = await needs.payments.attemptsOfUser(user.userId)
    const rows = await refundsOfPayer(needs.database.knex, attemptIds)
    const dates = new Map<string, string>()
    const ofLines = rows.flatMap((row) => (row.order_id === null ? row.attempt_id : []))
    for (const { attemptId, lines } of await needs.payments.checkoutsOf([...new Set(ofLines)]))
      for (const { index, mealDate } of lines) dates.set(refundIdOfPart(attemptId, index), mealDate)
    return { data: rows.map((row) => ownReply(row, dates.get(row.id) ?? null)) }
  }),

  route(listRefunds, withFeature('refunds'), async ({ query, user }) => {
    const page = Math.max(1, query.page ?? 1)
    const { limit = pageSize, sort = 'due', direction = 'asc', status = 'cancelled', text = '' } = query
    const { rows, total } = await refundsPage(
      needs.database.knex,
      { status, text },
      { sort, direction, offset: (page - 1) * limit, limit },
    )
    return {
      data: await listedReplies(needs, rows, user.userId),
      metadata: pageMetadataOf(total, page, limit),
    }
  }),

  route(
    completeRefund,
    withFeature('refunds'),
    async (call) => {
      const { params, body, user, idempotencyKey, by } = call
      const payoutId = payoutIdFor(params.id, idempotencyKey)
      const refund = await payBackRefund(needs)({
        refundId: params.id,
        payout: { ...payoutOf(body), by: user.userId },
        payoutId,
        by,
      })
      if (isAskedAs(refund, payoutId) && 'due' in refund)
        return {
          id: params.id,
          state: 'approval' as const,
          ...missingProof(await proofOfDue(needs, refund.due)),
        }
      return refundReply(refund)
    },
    knowsItsKey,
  ),

  route(
    approveRefund,
    withFeature('refunds'),
    async ({ params, body, user, by }) => {
      const judged = { refundId: params.id, administrator: user.userId, by }
      return refundReply(await approveAsked(needs)({ ...judged, seenAt: body?.askedAt ?? null }))
    },
    answeredOnce,
  ),

  route(
    withdrawRefund,
    withFeature('refunds'),
    async ({ params, user, by }) => {
      return refundReply(await withdrawAsked(needs)({ refundId: params.id, administrator: user.userId, by }))
    },
    answeredOnce,
  ),
]

const payoutOf = (body: BodyOf<typeof completeRefund>): Omit<PayBack['payout'], 'by'> => ({
  amount: body?.amount === undefined ? null : ngweeFromKwacha(body.amount),
  method: body?.method ?? 'manual',
  reference: body?.reference || null,
  note: body?.note || null,
})

const reasons: Record<Due['reason'], string> = {
  order_cancelled: 'Order cancelled',
  line_waived: 'Paid, but could not be ordered',
  overpaid: 'Paid too much',
}

const ownReply = (row: RefundRow, mealDate: string | null) => ({
  orderId: row.order_id,
  ...(row.order_id === null && {
    mealDate,
    student: { name: row.student_name, grade: row.student_grade as Grade },
  }),
  amount: kwachaFromNgwee(row.amount),
  owed: kwachaFromNgwee(row.owed),
  ...partBack(moneyBackOf(row) < row.amount ? moneyBackOf(row) : 0),
  dueSince: new Date(row.due_since).toISOString(),
  doneAt: row.paid_back_at === null ? null : new Date(row.paid_back_at).toISOString(),
  asCredit: row.paid_back_as === 'credit',
})

const listedReplies = async (
  needs: RefundsNeeds,
  rows: readonly RefundRow[],
  administrator: number,
): Promise<ListedRefund[]> => {
  const { database, payments, identity } = needs
  const shown = await payments.paymentsShown([...new Set(rows.map((row) => row.attempt_id))])
  const people = await identity.peopleOf([...new Set([...shown.values()].map(({ userId }) => userId))])
  const paidFrom = await payments.paidFromById(
    rows.map(({ id, attempt_id, order_id }) => ({ id, attemptId: attempt_id, orderId: order_id })),
  )
  const cardShown = await withCardRefunds(needs, rows)
  const orderIds = rows.flatMap(({ order_id: id }) => id ?? [])
  const orders = await needs.ordering.ordersWhere({ ids: orderIds })
  const proofs = new Map(orders.map(({ id, proof }) => [id, proof]))
  const notes = await needs.creditNotes(rows.map(({ id }) => id))
  const approvals = await approvalsOf(
    database.knex,
    rows.map(({ id }) => id),
  )
  const askedBy = [...approvals.values()].map((row) => row.asked_by)
  const askers = await identity.usernamesOf(askedBy)
  const tied = await identity.tiedTo(administrator, askedBy)
  return rows.map((row) => {
    const payment = shown.get(row.attempt_id)
    const person = payment && people.get(payment.userId)
    const parent = person
      ? { id: person.id, username: person.username, name: person.name, phone: person.phone }
      : null
    const { payBy = null, reference = '' } = payment ?? {}
    const creditNote = notes.get(row.id) ?? null
    const proof = proofs.get(row.order_id ?? '') ?? 'provider'
    const waiting = waitingReply(approvals.get(row.id), { askers, tied, administrator })
    const card = cardShown(row)
    const allowed = waiting.approval
      ? { ...card.allowed, complete: false, card: false, ...waiting.allowed }
      : { ...card.allowed, ...waiting.allowed }
    const about = { parent, payBy, paidFrom: paidFrom.get(row.id) ?? null, reference, proof, creditNote }
    return { ...rowReply(row), ...card, ...about, ...waiting, allowed }
  })
}

type Approvers = {
  askers: ReadonlyMap<number, string>
  /** Includes the asker, and accounts that may be the same person as the caller. */
  tied: ReadonlySet<number>
  administrator: number
}

const waitingReply = (row: ApprovalRow | undefined, { askers, tied, administrator }: Approvers) => {
  if (!row) return { approval: null, asked: null, allowed: { approve: false, withdraw: false } }
  const { amount, method, reference, note, to_card: toCard } = row
  return {
    approval: { by: askers.get(row.asked_by) ?? '', at: new Date(row.asked_at).toISOString() },
    asked: { amount: kwachaFromNgwee(amount), method, reference, note, toCard },
    allowed: { approve: !tied.has(row.asked_by), withdraw: true },
    ...(tied.has(row.asked_by) && {
      why: { approve: approvalRefused[row.asked_by === administrator ? 'own' : 'tied'] },
    }),
  }
}

const moneyBackOf = ({ amount, owed, as_credit }: RefundRow) => amount - owed - as_credit

const partBack = (paidBack: number) => (paidBack === 0 ? {} : { paidBack: kwachaFromNgwee(paidBack) })

/** Amount still due, or the total once all went back. */
const rowReply = (row: RefundRow): RefundReply => ({
  id: row.id,
  orderDate: new Date(row.ordered_at).toISOString(),
  student: { name: row.student_name, grade: row.student_grade as Grade },
  menuItem: { name: row.item_name },
  amount: kwachaFromNgwee(row.status === 'due' ? row.owed : row.amount),
  ...partBack(row.status === 'due' ? row.amount - row.owed : 0),
  status: row.status === 'due' ? 'cancelled' : 'refunded',
  reason: reasons[row.reason],
  dueSince: new Date(row.due_since).toISOString(),
  allowed: { complete: row.status === 'due' },
})

const refundReply = (refund: Refund): RefundReply => {
  if (refund.status === 'none') throw refusal('refund_not_found')
  const { due, status } = refund
  return {
    id: due.refundId,
    orderDate: due.orderedAt,
    student: { name: due.student.name, grade: due.student.grade as Grade },
    menuItem: due.item,
    amount: kwachaFromNgwee(status === 'due' ? owedOf(refund) : due.amount),
    ...partBack(status === 'due' ? due.amount - owedOf(refund) : 0),
    status: status === 'paid_back' ? 'refunded' : 'cancelled',
    reason: reasons[due.reason],
    dueSince: due.at,
    allowed: { complete: status === 'due' },
  }
}

type Approval = { refundId: string; administrator: number; by: By } & { seenAt: string | null }

/** Closes the order first; of two concurrent approvals one pays back. Throws `approval_asker_gone` when the asker lost the right. */
export const approveAsked =
  (needs: OwedNeeds) =>
  async (approval: Approval): Promise<Refund> => {
    const { refundId, administrator, seenAt, by } = approval
    const { state } = await loadStream(needs.eventStore, approvalDecider, refundId)
    const ask = 'asks' in state ? state.asks.waiting : null
    if (!ask?.toCard) return approveByHand(needs, approval)
    const asked = { refundId, requestId: ask.askId, administrator: ask.by, by }
    await requestCardRefund(needs)({ ...asked, approval: { by: administrator, seenAt } })
    return (await loadStream(needs.eventStore, approvalDecider, refundId)).state
  }

const approveByHand = async (
  needs: RefundsNeeds,
  { refundId, administrator, seenAt, by }: Approval,
): Promise<Refund> => {
  const { refund } = await handleCommand(needs, by, async (at) => {
    const loaded = await loadStream(needs.eventStore, approvalDecider, refundId)
    const approve = { kind: 'approve', by: administrator, seenAt, now: at } as const
    const events = approvalDecider.decide(approve, loaded.state)
    if (events.length === 0 || !('due' in loaded.state))
      return { changes: [{ loaded, events: [] }], refund: loaded.state }
    const ask = waitingIn(loaded.state)
    if (ask.toCard) throw refusal('approval_changed')
    await needTwoPersons(needs, ask.by, administrator)
    const { due } = loaded.state
    const { changes: counts } = await needs.credit.countOutflow(
      [leaving(due, { ...ask, payoutId: ask.askId })],
      at,
    )
    const idSeed = `approve/${ask.askId}/${administrator}`
    const refund = advanced(approvalDecider, loaded, events).state
    const closing = await orderChanges(needs, refund, at)
    return { changes: [...counts, ...closing, { loaded, events, idSeed }], refund }
  })
  return refund
}
