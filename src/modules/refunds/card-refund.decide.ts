import type { Decider } from '#kernel/event'
import type { Ngwee } from '#kernel/money'
import {
  outcomeIn,
  type ReportedRefund,
  cardRefundAnswered,
  cardRefundFoundFailed,
  cardRefundRequested,
  cardRefundToBeChecked,
  isUnderWay,
  type CardAnswer,
  type CardRefund,
  type ListedRefunds,
} from './card-refund'
import { owedOf, refundPaidBack, type Refund, type RefundEvent } from './refund'
import { refundDecider } from './refund.decide'
import { refusal } from './refusals'

type Ask = {
  kind: 'ask'
  requestId: string
  left: Ngwee
  whole?: Ngwee
  before: ListedRefunds | null
  by: number
  now: Date
}
type Answer = { kind: 'answer'; requestId: string; answer: CardAnswer; now: Date }
type Look = { kind: 'look'; requestId: string; refunds: readonly ReportedRefund[] | null; now: Date }
type Find = { kind: 'find'; outcome: 'done' | 'failed'; note: string | null; by: number; now: Date }
export type CardRefundCommand = Ask | Answer | Look | Find

type Owed = Extract<Refund, { payouts: unknown }>
type UnderWay = Owed & { card: CardRefund }

const decide = (command: CardRefundCommand, refund: Refund): RefundEvent[] => {
  switch (command.kind) {
    case 'ask':
      return ask(command, refund)
    case 'answer':
      return answered(command, refund)
    case 'look':
      return looked(command, refund)
    case 'find':
      return found(command, refund)
  }
}

export const cardRefundDecider = { ...refundDecider, decide } satisfies Decider<
  Refund,
  CardRefundCommand,
  RefundEvent
> &
  Record<string, unknown>

/** Asks for all that is owed. Nothing for a known request, however it ended. */
const ask = ({ requestId, left, whole, before, by, now }: Ask, refund: Refund): RefundEvent[] => {
  if (refund.status === 'none') throw refusal('refund_not_found')
  if (refund.status === 'withdrawn') throw refusal('refund_withdrawn')
  if (refund.card?.asked.includes(requestId)) return []
  if (refund.status === 'paid_back') throw refusal('refund_paid_back')
  if (refund.asks.withdrawn.includes(requestId)) throw refusal('approval_withdrawn')
  if (refund.asks.waiting) throw refusal('approval')
  if (isUnderWay(refund.card)) throw refusal('refund_pending')
  const amount = owedOf(refund)
  if (amount > left) throw refusal('refund_exceeds_received')
  const { refundId, attemptId } = refund.due
  const at = now.toISOString()
  return [
    cardRefundRequested({ refundId, attemptId, requestId, amount, ...(whole && { whole }), before, by, at }),
  ]
}

/** The list is newer than this answer. */
const answered = ({ requestId, answer, now }: Answer, refund: Refund): RefundEvent[] =>
  isAsked(refund, requestId) && refund.card.state === 'requested' && refund.card.answer === null
    ? [cardRefundAnswered({ ...aboutOf(refund, now), ...answer })]
    : []

const dayMs = 24 * 60 * 60_000

/** Silence before a person must look; manual release takes days. */
const patienceMs = (card: CardRefund): number => (card.answer?.answer === 'pending' ? 7 * dayMs : dayMs)

/** Only the provider's word ends a request; silence never starts another. */
const looked = ({ requestId, refunds, now }: Look, refund: Refund): RefundEvent[] => {
  if (!isAsked(refund, requestId) || refund.card.state === 'check') return []
  const { card } = refund
  const outcome = refunds && outcomeIn(refunds, card)
  if (outcome === 'done') return [paidBackByCard(refund, card.by, null, now)]
  if (outcome === 'declined')
    return [cardRefundAnswered({ ...aboutOf(refund, now), answer: 'refused', code: '008', explanation: '' })]
  if (outcome === 'pending' && card.answer?.answer !== 'pending')
    return [cardRefundAnswered({ ...aboutOf(refund, now), answer: 'pending', code: '009', explanation: '' })]
  return now.getTime() - Date.parse(card.since) >= patienceMs(card)
    ? [cardRefundToBeChecked(aboutOf(refund, now))]
    : []
}

const found = ({ outcome, note, by, now }: Find, refund: Refund): RefundEvent[] => {
  if (refund.status === 'none') throw refusal('refund_not_found')
  const card = refund.status === 'withdrawn' ? null : refund.card
  if (card?.state === outcome) return []
  if (card?.state !== 'check' || !isAsked(refund, card.requestId)) throw refusal('refund_not_to_be_checked')
  return outcome === 'done'
    ? [paidBackByCard(refund, by, note, now)]
    : [cardRefundFoundFailed({ ...aboutOf(refund, now), by, note })]
}

const isAsked = (refund: Refund, requestId: string): refund is UnderWay =>
  refund.status === 'due' && isUnderWay(refund.card) && refund.card.requestId === requestId

const aboutOf = ({ due, card }: UnderWay, now: Date) => ({
  refundId: due.refundId,
  requestId: card.requestId,
  at: now.toISOString(),
})

/** Once per request, however often reported. */
const paidBackByCard = (refund: UnderWay, by: number, note: string | null, now: Date): RefundEvent => {
  const { refundId, orderId, attemptId, part } = refund.due
  const { requestId: payoutId, amount } = refund.card
  return refundPaidBack({
    refundId,
    orderId,
    attemptId,
    part,
    payoutId,
    amount,
    note,
    by,
    stillOwed: owedOf(refund) - amount,
    method: 'card',
    reference: null,
    at: now.toISOString(),
  })
}
