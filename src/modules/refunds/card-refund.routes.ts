import { checkCardRefund, refundToCard } from '#contracts/refunds'
import { answeredOnce, knowsItsKey, route, withFeature, type Route } from '#platform/http/route'
import {
  cardReply,
  isUnderWay,
  cardAnswerOf,
  listedOf,
  refundedIn,
  cardClaims,
  cardRefundClaimed,
  cardRefundNotBegun,
  cardRefundRequested,
  type CardRefund,
  type CardPayment,
  type CardRefunder,
  type ReportedRefund,
  type ListedRefunds,
} from './card-refund'
import { payoutIdFor, orderChanges, leaving, needTwoPersons } from './refund.commands'
import type { Ngwee } from '#kernel/money'
import {
  advanced,
  loadStream,
  handleUntilShown,
  type By,
  type StreamChange,
} from '#platform/event-store/command-handler'
import type { Ports } from '#platform/ports'
import { approvalDecider, waitingIn } from './refund.decide'
import { cardRefundDecider, type CardRefundCommand } from './card-refund.decide'
import type { RefundsNeeds } from './ports'
import { isAskedAs, owedOf, type Refund } from './refund'
import { refusal } from './refusals'
import type { Sweep } from '#platform/module'

export const cardRefundRoutes = (needs: CardRequestNeeds): Route[] => [
  route(
    refundToCard,
    withFeature('refunds'),
    async (call) => {
      const { params, user, idempotencyKey, by } = call
      const card = await requestCardRefund(needs)({
        refundId: params.id,
        requestId: payoutIdFor(params.id, idempotencyKey),
        administrator: user.userId,
        by,
      })
      return card ? cardReply(card) : { id: params.id, state: 'approval' as const }
    },
    knowsItsKey,
  ),

  route(
    checkCardRefund,
    withFeature('refunds'),
    async (call) => {
      const { params, body, user, by } = call
      const card = await recordCardRefundOutcome(needs)({
        refundId: params.id,
        outcome: body.outcome,
        note: body.note || null,
        administrator: user.userId,
        by,
      })
      return cardReply(card)
    },
    answeredOnce,
  ),
]

/** Updates the order in the same append: refunded once money has gone, released when nothing has. */
const changeCardRefund =
  (needs: RefundsNeeds) =>
  async (refundId: string, by: By, commandAt: (now: Date) => CardRefundCommand): Promise<Refund> => {
    const { refund } = await handleUntilShown(needs, by, async (now) => {
      const loaded = await loadStream(needs.eventStore, cardRefundDecider, refundId)
      const events = cardRefundDecider.decide(commandAt(now), loaded.state)
      const refund = advanced(cardRefundDecider, loaded, events).state
      const closing = events.length > 0 ? await orderChanges(needs, refund, now) : []
      return { changes: [...closing, { loaded, events }], refund }
    })
    return refund
  }

/** Asks for the outcome of a running request, never to pay again. Repeatable. Throws `refund_not_found`. */
export const followCardRefund = (needs: RefundsNeeds) => {
  const { cards, eventStore, payments } = needs
  const change = changeCardRefund(needs)
  return async (refundId: string, by: By): Promise<CardRefund> => {
    const { state } = await loadStream(eventStore, cardRefundDecider, refundId)
    const card = cardOf(state)
    if (!isUnderWay(card) || card.state === 'check' || state.status === 'none') return card
    const { requestId } = card
    const { attemptId } = state.due
    const payment = (await payments.cardPayments([attemptId])).get(attemptId)
    const answer = payment && (await cards?.verifyRefund(payment))
    const refunds = answer?.kind === 'reported' ? answer.refunds : null
    return cardOf(await change(refundId, by, (now) => ({ kind: 'look', requestId, refunds, now })))
  }
}

const cardOf = (refund: Refund): CardRefund => {
  const card = 'card' in refund ? refund.card : null
  if (!card) throw refusal('refund_not_found')
  return card
}

type Found = {
  refundId: string
  outcome: 'done' | 'failed'
  note: string | null
  administrator: number
  by: By
}

/** Throws `refund_not_to_be_checked` unless in `check`. */
export const recordCardRefundOutcome =
  (needs: RefundsNeeds) =>
  async ({ refundId, outcome, note, administrator, by }: Found): Promise<CardRefund> =>
    cardOf(
      await changeCardRefund(needs)(refundId, by, (now) => ({
        kind: 'find',
        outcome,
        note,
        by: administrator,
        now,
      })),
    )

export type CardRequestNeeds = RefundsNeeds & {
  /** In ngwee, by any method. */
  wentBackOf: (attemptId: string) => Promise<Ngwee>
}

type CardRequest = {
  refundId: string
  requestId: string
  administrator: number
  by: By
  approval?: { by: number; seenAt: string | null }
}

/** Stores the request before the call, which only its writer makes, so it never asks twice. Null: waits for approval. */
export const requestCardRefund = (needs: CardRequestNeeds) => {
  const change = changeCardRefund(needs)
  return async (request: CardRequest): Promise<CardRefund | null> => {
    const { refundId, requestId, by } = request
    const begun = await appendRequest(needs, request)
    if (!begun.call) return isAskedAs(begun.refund, requestId) ? null : cardOf(begun.refund)
    const { cards, token, amount } = begun.call
    const details = `Refund of ${refundId}`
    const answered = await cards.refund({ token, amount, details, refundRef: requestId })
    if (answered.kind === 'config')
      needs.log.error({ refundId, code: answered.code }, 'the card provider refuses our request for a refund')
    const answer = cardAnswerOf(answered)
    const card = cardOf(await change(refundId, by, (now) => ({ kind: 'answer', requestId, answer, now })))
    return card.state === 'pending' ? followCardRefund(needs)(refundId, by) : card
  }
}

type Begun = {
  changes: readonly StreamChange[]
  refund: Refund
  call: { cards: CardRefunder; token: string; amount: Ngwee } | null
}

/** Closes the order first. Event ids are random: of two concurrent appends one must fail, or both would call the provider. */
const appendRequest = (needs: CardRequestNeeds, request: CardRequest) =>
  handleUntilShown(needs, request.by, async (now): Promise<Begun> => {
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
    const amount = owedOf(refund)
    const out = await needs.credit.countOutflow(leaving(refund.due, { payoutId: requestId, amount }), now)
    if (out.needsApproval && approved.length === 0) {
      const payout = { ...byCard, payoutId: requestId, amount, by: administrator }
      const events = approvalDecider.decide({ kind: 'ask', payout, toCard: true, now }, refund)
      return {
        changes: [{ loaded, events }],
        refund: events.reduce(cardRefundDecider.evolve, refund),
        call: null,
      }
    }
    const claim = await claimPayment(needs, { attemptId, refundId, requestId, now })
    const listed = await listBefore(cards, payment, claim.isFirst)
    const wentBack = Math.max(refundedIn(listed ?? []), await needs.wentBackOf(attemptId))
    const events = askFor(listed && listedOf(listed, amount), payment.received - wentBack)
    const asked = events.reduce(cardRefundDecider.evolve, refund)
    const closing = await orderChanges(needs, asked, now)
    const changes = [out.change, ...claim.changes, ...closing, { loaded, events: [...approved, ...events] }]
    return { changes, refund: asked, call: { cards, token: payment.token, amount } }
  })

const byCard = { method: 'card', reference: null, note: null } as const

const approvalEvents = async (
  needs: CardRequestNeeds,
  { approval }: CardRequest,
  refund: Refund,
  now: Date,
) => {
  if (!approval) return []
  const events = approvalDecider.decide({ kind: 'approve', ...approval, now }, refund)
  if (events.length > 0) await needTwoPersons(needs, waitingIn(refund).by, approval.by)
  return events
}

const payerOf = async ({ cards, cardRefundsOn, payments }: CardRequestNeeds, attemptId: string) => {
  if (!cards || !(await cardRefundsOn())) throw refusal('card_refunds_off')
  const payment = (await payments.cardPayments([attemptId])).get(attemptId)
  if (!payment) throw refusal('not_paid_by_card')
  return { cards, payment }
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

type SweepNeeds = RefundsNeeds & {
  cardRefundsToFollow: () => Promise<readonly { refundId: string; requestId: string; since: string }[]>
}

const minuteMs = 60_000

/** Often while young, later hourly. */
const pauseMs = (ageMs: number): number => Math.min(Math.max(ageMs / 4, minuteMs), 60 * minuteMs)

export const followCardRefunds = (needs: SweepNeeds): Sweep => {
  const name = 'follow-card-refunds'
  const follow = followCardRefund(needs)
  let nextAt = new Map<string, number>()
  return {
    name,
    run: async () => {
      const waiting = await needs.cardRefundsToFollow()
      const now = needs.now().getTime()
      nextAt = new Map(waiting.map(({ requestId }) => [requestId, nextAt.get(requestId) ?? now]))
      const faults: unknown[] = []
      for (const { refundId, requestId, since } of waiting) {
        if (nextAt.get(requestId)! > now) continue
        nextAt.set(requestId, now + pauseMs(now - Date.parse(since)))
        await follow(refundId, { actor: `job:${name}`, correlationId: requestId }).catch((fault: unknown) =>
          faults.push(fault),
        )
      }
      if (faults.length > 0)
        throw new AggregateError(faults, `${faults.length} refunds could not be followed`)
    },
  }
}
