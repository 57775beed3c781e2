import { v5 } from 'uuid'
import { sum, type Ngwee } from '#kernel/money'
import {
  handleCommand,
  loadStream,
  loadStreams,
  type By,
  type LoadedStream,
  type StreamChange,
} from '#platform/event-store/command-handler'
import type { Ports } from '#platform/ports'
import {
  cardAnswerOf,
  cardClaims,
  cardRefundClaimed,
  cardRefundNotBegun,
  cardRefundRequested,
  isUnderWay,
  listedOf,
  refundedIn,
  type CardPayment,
  type CardRefund,
  type CardRefunder,
  type ListedRefunds,
  type ReportedRefund,
} from './card-refund'
import { cardRefundDecider } from './card-refund.decide'
import { cardOf, changeCardRefund, followCardRefund } from './follow-card-refunds.commands'
import type { OwedNeeds, RefundsNeeds } from './ports'
import { isAskedAs, owedOf, type Refund, type RefundEvent } from './refund'
import { leaving, needTwoPersons, orderChanges } from './refund.commands'
import { approvalDecider, waitingIn } from './refund.decide'
import { dueOfAttempt } from './refunds.rows'
import { refusal } from './refusals'

type CardRequest = {
  refundId: string
  requestId: string
  administrator: number
  by: By
  approval?: { by: number; seenAt: string | null }
}

/** Stores the request before the call, which only its writer makes, so it never asks twice. Null: waits for approval. */
export const requestCardRefund = (needs: OwedNeeds) => {
  const change = changeCardRefund(needs)
  return async (request: CardRequest): Promise<CardRefund | null> => {
    const { refundId, requestId, by } = request
    const begun = await appendRequest(needs, request)
    if (!begun.call) return isAskedAs(begun.refund, requestId) ? null : cardOf(begun.refund)
    const { cards, token, amount, others } = begun.call
    const details = `Refund of ${refundId}`
    const answered = await cards.refund({ token, amount, details, refundRef: requestId })
    if (answered.kind === 'config')
      needs.log.error({ refundId, code: answered.code }, 'the card provider refuses our request for a refund')
    const answer = cardAnswerOf(answered)
    const record = async (one: Asked) => {
      const at = (now: Date) => ({ kind: 'answer', requestId: one.requestId, answer, now }) as const
      const card = cardOf(await change(one.refundId, by, at))
      return card.state === 'pending' ? followCardRefund(needs)(one.refundId, by) : card
    }
    const card = await record({ refundId, requestId })
    for (const other of others) await record(other)
    return card
  }
}

type Asked = { refundId: string; requestId: string }

/** `others` go back in the same act. */
type Begun = {
  changes: readonly StreamChange[]
  refund: Refund
  call: { cards: CardRefunder; token: string; amount: Ngwee; others: readonly Asked[] } | null
}

/** Closes the order first. Event ids are random: of two concurrent appends one must fail, or both would call the provider. */
const appendRequest = (needs: OwedNeeds, request: CardRequest) =>
  handleCommand(needs, request.by, async (now): Promise<Begun> => {
    const { refundId, requestId, administrator } = request
    const loaded = await loadStream(needs.eventStore, cardRefundDecider, refundId)
    const approved = await approvalEvents(needs, request, loaded.state, now)
    const refund = approved.reduce(cardRefundDecider.evolve, loaded.state)
    if (isAskedAs(refund, requestId)) return { changes: [{ loaded, events: [] }], refund, call: null }
    const askFor = (before: ListedRefunds | null, left: Ngwee) =>
      cardRefundDecider.decide({ kind: 'ask', requestId, before, left, by: administrator, now }, refund)
    if (refund.status === 'none') throw refusal('refund_not_found')
    if (askFor(null, Infinity).length === 0) return { changes: [], refund, call: null }
    const { attemptId } = refund.due
    const { cards, payment } = await payerOf(needs, attemptId)
    const own = owedOf(refund)
    const others = await dueTogether(needs, { request, attemptId, own, payment }, now)
    const amount = own + sum(others.map((other) => other.amount))
    const each = [{ due: refund.due, payoutId: requestId, amount: own }, ...others]
    const isAlone = approved.length === 0
    const out = await needs.credit.countOutflow(
      each.map(({ due, ...one }) => ({ ...leaving(due, one), ...(isAlone && { by: administrator }) })),
      now,
    )
    if (out.needsApproval && isAlone)
      return askForApproval({ request, amount, now }, { loaded, state: refund, payoutId: requestId }, others)
    const claim = await claimPayment(needs, { attemptId, refundId, requestId, now })
    const listed = await listBefore(cards, payment, claim.isFirst)
    const wentBack = Math.max(refundedIn(listed ?? []), await needs.wentBackOf(attemptId))
    const left = payment.received - wentBack
    if (others.length > 0 && amount > left) throw refusal('whole_only')
    const before = listed && listedOf(listed, amount)
    const whole = others.length > 0 ? { whole: amount } : {}
    const askAs = (id: string, state: Refund) =>
      cardRefundDecider.decide(
        { kind: 'ask', requestId: id, before, left, ...whole, by: administrator, now },
        state,
      )
    const events = askAs(requestId, refund)
    const asked = events.reduce(cardRefundDecider.evolve, refund)
    const changes = [...out.changes, ...claim.changes, ...(await orderChanges(needs, asked, now))]
    for (const other of others) {
      const its = askAs(other.payoutId, other.state)
      const after = its.reduce(cardRefundDecider.evolve, other.state)
      const events = [...other.approved, ...its]
      changes.push(...(await orderChanges(needs, after, now)), { loaded: other.loaded, events })
    }
    changes.push({ loaded, events: [...approved, ...events] })
    const call = {
      cards,
      token: payment.token,
      amount,
      others: others.map(({ due, payoutId }) => ({ refundId: due.refundId, requestId: payoutId })),
    }
    return { changes, refund: asked, call }
  })

type Row = { loaded: LoadedRefund; state: Refund; payoutId: string }

/** One request on all rows that go back together: what is shown is what is sent. */
const askForApproval = (
  { request, amount, now }: { request: CardRequest; amount: Ngwee; now: Date },
  row: Row,
  others: readonly Row[],
): Begun => {
  const changes = [row, ...others].map(({ loaded, state, payoutId }) => {
    const payout = { ...byCard, payoutId, amount, by: request.administrator }
    return { loaded, events: approvalDecider.decide({ kind: 'ask', payout, toCard: true, now }, state) }
  })
  return { changes, refund: changes[0]!.events.reduce(cardRefundDecider.evolve, row.state), call: null }
}

const byCard = { method: 'card', reference: null, note: null } as const

const approvalEvents = async (needs: RefundsNeeds, { approval }: CardRequest, refund: Refund, now: Date) => {
  if (!approval) return []
  const events = approvalDecider.decide({ kind: 'approve', ...approval, now }, refund)
  if (events.length > 0) await needTwoPersons(needs, waitingIn(refund).by, approval.by)
  return events
}

const payerOf = async ({ cards, cardRefundsOn, payments }: RefundsNeeds, attemptId: string) => {
  if (!cards || !(await cardRefundsOn())) throw refusal('card_refunds_off')
  const payment = (await payments.cardPayments([attemptId])).get(attemptId)
  if (!payment) throw refusal('not_paid_by_card')
  return { cards, payment }
}

type LoadedRefund = LoadedStream<Refund, RefundEvent>

type Together = { request: CardRequest; attemptId: string; own: Ngwee; payment: CardPayment }

/** The other refunds of a mobile payment, which goes back only whole. Throws `whole_only` where they are not all of it. */
const dueTogether = async ({ database, eventStore }: RefundsNeeds, asked: Together, now: Date) => {
  const { request, attemptId, own, payment } = asked
  if (payment.method === 'card' || own === payment.received) return []
  const ids = (await dueOfAttempt(database.knex, attemptId)).filter((id) => id !== request.refundId)
  const loaded = await loadStreams(eventStore, cardRefundDecider, ids)
  const others = loaded.flatMap((one) =>
    one.state.status === 'due' ? [togetherWith(request, one, one.state, now)] : [],
  )
  if (own + sum(others.map(({ amount }) => amount)) !== payment.received) throw refusal('whole_only')
  return others
}

/** Whoever approves one row approves what was asked for with it. */
const togetherWith = (
  { requestId, approval }: CardRequest,
  loaded: LoadedRefund,
  before: Extract<Refund, { asks: unknown }>,
  now: Date,
) => {
  const { waiting } = before.asks
  if (waiting && !(approval && waiting.toCard)) throw refusal('approval')
  const approve = approval && ({ kind: 'approve', by: approval.by, seenAt: null, now } as const)
  const approved = waiting && approve ? approvalDecider.decide(approve, before) : []
  return {
    due: before.due,
    loaded,
    approved,
    state: approved.reduce(cardRefundDecider.evolve, loaded.state),
    amount: owedOf(before),
    payoutId: waiting?.askId ?? v5(before.due.refundId, requestId),
  }
}

type Claim = { attemptId: string; refundId: string; requestId: string; now: Date }

/** A previous claimant was answered or died before writing its refund: that stream is advanced so that it cannot continue. */
const claimPayment = async (
  { eventStore }: Ports,
  { attemptId, refundId, requestId, now }: Claim,
): Promise<{ changes: StreamChange[]; isFirst: boolean }> => {
  const at = now.toISOString()
  const loaded = await loadStream(eventStore, cardClaims, attemptId)
  const claim = { loaded, events: [cardRefundClaimed({ attemptId, refundId, requestId, at })] }
  const { state: holder } = loaded
  if (!holder || holder.refundId === refundId) return { changes: [claim], isFirst: holder === null }
  const other = await loadStream(eventStore, cardRefundDecider, holder.refundId)
  if ('card' in other.state && isUnderWay(other.state.card)) throw refusal('refund_pending')
  const wasAsked = other.events.some(
    ({ type, data }) => type === cardRefundRequested.type && data.requestId === holder.requestId,
  )
  const notBegun = cardRefundNotBegun({ refundId: holder.refundId, requestId: holder.requestId, at })
  const changes = wasAsked ? [claim] : [{ loaded: other, events: [notBegun] }, claim]
  return { changes, isFirst: false }
}

/** Later growth of the provider's list is this request. No answer: do not ask. A list it cannot tell is empty at the first request. */
const listBefore = async (
  cards: CardRefunder,
  payment: CardPayment,
  isFirst: boolean,
): Promise<readonly ReportedRefund[] | null> => {
  const answer = await cards.verifyRefund(payment)
  if (answer.kind === 'unreachable' && answer.why !== 'unknown-code') throw refusal('card_provider_silent')
  if (answer.kind !== 'reported') return isFirst ? [] : null
  if (answer.refunds.some(({ status }) => status === 'pending')) throw refusal('refund_pending')
  return answer.refunds
}
