import { z } from 'zod'
import type { MobileNetwork } from '#contracts/ordering'
import type { CardRefundState } from '#contracts/refunds'
import { eventType, type EventOf, eventReader } from '#kernel/event'
import { rowId } from '#kernel/id'
import type { Ngwee } from '#kernel/money'

const at = z.iso.datetime()
const refundId = z.string().min(1)
const count = z.int().nonnegative()
const about = { refundId, requestId: z.uuid(), at }

const listed = z.strictObject({ done: count, declined: count })
export type ListedRefunds = z.infer<typeof listed>

/** An administrator has asked for the money to go back to the card; the card provider is called after this stands. */
export const cardRefundRequested = eventType(
  'refunds.card-refund-requested.v1',
  z.strictObject({
    ...about,
    attemptId: z.uuid(),
    amount: z.int().positive(),
    /** Of all refunds that go back in one act at the provider; absent for this one alone. */
    whole: z.int().positive().optional(),
    /** Null: the provider could not tell. */
    before: listed.nullable(),
    by: rowId,
  }),
)
/**
 * What the card provider said of a request: `accepted` (it has taken it), `pending` (somebody there has to release it),
 * `refused` (nothing went back) or `unclear` (no answer that tells anything). That it is done is said by refund-paid-back.
 */
export const cardRefundAnswered = eventType(
  'refunds.card-refund-answered.v1',
  z.strictObject({
    ...about,
    answer: z.enum(['accepted', 'pending', 'refused', 'unclear']),
    code: z.string(),
    explanation: z.string(),
  }),
)
/** The provider left it unclear for too long: a person finds out what became of it. */
export const cardRefundToBeChecked = eventType('refunds.card-refund-to-be-checked.v1', z.strictObject(about))
/** A person has found that nothing went back. */
export const cardRefundFoundFailed = eventType(
  'refunds.card-refund-found-failed.v1',
  z.strictObject({ ...about, by: rowId, note: z.string().nullable() }),
)
/** A request that holds the payment's claim never came to be asked, so that another may take the claim. */
export const cardRefundNotBegun = eventType('refunds.card-refund-not-begun.v1', z.strictObject(about))

export const cardRefundEventTypes = [
  cardRefundRequested,
  cardRefundAnswered,
  cardRefundToBeChecked,
  cardRefundFoundFailed,
  cardRefundNotBegun,
] as const
type CardRefundEvent = EventOf<(typeof cardRefundEventTypes)[number]>
export type CardAnswer = Pick<EventOf<typeof cardRefundAnswered>['data'], 'answer' | 'code' | 'explanation'>

/** While `requested` (unknown), `pending` (at the provider) or `check` (with a person), no other way pays it back. */
export type CardRefund = {
  requestId: string
  /** All request ids, so that none starts twice. */
  asked: readonly string[]
  amount: Ngwee
  /** What the provider pays back in one act with others, as with mobile money. */
  whole?: Ngwee | undefined
  by: number
  before: ListedRefunds | null
  state: 'requested' | 'pending' | 'check' | 'failed' | 'done'
  answer: CardAnswer | null
  since: string
}

export const isUnderWay = (card: CardRefund | null): card is CardRefund =>
  card !== null && card.state !== 'failed' && card.state !== 'done'

const stateAfter = {
  accepted: 'pending',
  pending: 'pending',
  refused: 'failed',
  unclear: 'requested',
} as const

/** Requests remembered: the state is a row, which must not grow for ever. */
const maxRemembered = 50

/** Events of earlier requests change nothing. */
export const evolveCard = (card: CardRefund | null, { type, data }: CardRefundEvent): CardRefund | null => {
  if (type === cardRefundRequested.type) {
    const { requestId, amount, whole, by, before, at: since } = data
    const asked = [...(card?.asked ?? []).slice(-maxRemembered), requestId]
    return { requestId, asked, amount, whole, by, before, state: 'requested', answer: null, since }
  }
  if (!isUnderWay(card) || card.requestId !== data.requestId) return card
  switch (type) {
    case cardRefundAnswered.type: {
      const { answer, code, explanation } = data
      return { ...card, state: stateAfter[answer], answer: { answer, code, explanation }, since: data.at }
    }
    case cardRefundToBeChecked.type:
      return { ...card, state: 'check', since: data.at }
    case cardRefundFoundFailed.type:
      return { ...card, state: 'failed', answer: null, since: data.at }
    case cardRefundNotBegun.type:
      return card
  }
}

export const afterPayout = (
  card: CardRefund | null,
  payout: { payoutId: string; at: string },
): CardRefund | null =>
  card?.requestId === payout.payoutId ? { ...card, state: 'done', since: payout.at } : card

type Unreachable = { kind: 'unreachable'; why: string; detail: string | null }
type Misconfigured = { kind: 'config'; code: string; explanation: string }

type RequestAnswer =
  | { kind: 'accepted' }
  | { kind: 'refused'; code: string; explanation: string }
  | Misconfigured
  | Unreachable

/** `amount` is null if not in whole ngwee. */
export type ReportedRefund = { status: 'done' | 'declined' | 'pending'; amount: Ngwee | null }

type ListAnswer = { kind: 'reported'; refunds: readonly ReportedRefund[] } | Misconfigured | Unreachable

/** `received` is without the fee. */
export type CardPayment = {
  token: string
  ref: string | null
  received: Ngwee
  method: 'card' | MobileNetwork
}

/** The card provider for refunds. Functions never throw: failures are answers. */
export type CardRefunder = {
  refund: (request: {
    token: string
    amount: Ngwee
    details: string
    refundRef: string
  }) => Promise<RequestAnswer>
  verifyRefund: (payment: Pick<CardPayment, 'token' | 'ref'>) => Promise<ListAnswer>
}

/** A refusal, or rejected credentials: nothing happened. No answer: unknown. */
export const cardAnswerOf = (answer: RequestAnswer): CardAnswer => {
  switch (answer.kind) {
    case 'accepted':
      return { answer: 'accepted', code: '000', explanation: '' }
    case 'refused':
    case 'config':
      return { answer: 'refused', code: answer.code, explanation: answer.explanation }
    case 'unreachable':
      return { answer: 'unclear', code: answer.detail ?? answer.why, explanation: '' }
  }
}

export const listedOf = (refunds: readonly ReportedRefund[], amount: Ngwee): ListedRefunds => ({
  done: countOf(refunds, 'done', amount),
  declined: countOf(refunds, 'declined', amount),
})

/** Finds a request in the growth of the provider's list. Null: not listed, which does not prove failure. */
export const outcomeIn = (
  refunds: readonly ReportedRefund[],
  { amount: own, whole, before }: Pick<CardRefund, 'amount' | 'whole' | 'before'>,
): ReportedRefund['status'] | null => {
  if (!before) return null
  const amount = whole ?? own
  const listed = listedOf(refunds, amount)
  if (listed.done > before.done) return 'done'
  if (listed.declined > before.declined) return 'declined'
  return countOf(refunds, 'pending', amount) > 0 ? 'pending' : null
}

const countOf = (refunds: readonly ReportedRefund[], status: ReportedRefund['status'], amount: Ngwee) =>
  refunds.filter((one) => one.status === status && one.amount === amount).length

export const refundedIn = (refunds: readonly ReportedRefund[]): Ngwee =>
  refunds.reduce((sum, { status, amount }) => (status === 'declined' ? sum : sum + (amount ?? 0)), 0)

export const cardReply = (card: CardRefund): CardRefundState => ({
  state: card.state,
  reason: reasonOf(card),
})

const reasonOf = ({ state, answer }: CardRefund): string | null => {
  switch (state) {
    case 'requested':
      return 'The card provider has not answered. Tuckshop keeps asking.'
    case 'pending':
      return answer?.answer === 'pending'
        ? 'Somebody at the card provider has to release it.'
        : 'The card provider has taken the request. Tuckshop asks whether it is done.'
    case 'check':
      return 'Look in the card provider’s portal whether the money went back.'
    case 'failed':
      return answer ? refusedText(answer) : 'Somebody found that nothing went back.'
    case 'done':
      return null
  }
}

const refusedText = ({ code, explanation }: NonNullable<CardRefund['answer']>): string =>
  `The card provider refused it: ${explanation === '' ? `code ${code}` : `${explanation} (${code})`}`

/** A request to refund to the card has taken its payment, of which the provider is asked for one refund at a time. */
export const cardRefundClaimed = eventType(
  'refunds.card-refund-claimed.v1',
  z.strictObject({
    attemptId: z.uuid(),
    refundId: z.string().min(1),
    requestId: z.uuid(),
    at: z.iso.datetime(),
  }),
)
type Claimed = EventOf<typeof cardRefundClaimed>

/** The last claimant of a card payment; its refund's stream says whether it is still running. */
type CardClaim = Claimed['data'] | null

export const cardClaims = {
  streamOf: (attemptId: string): string => `cardRefunds-${attemptId}`,
  read: eventReader(cardRefundClaimed),
  initial: null as CardClaim,
  evolve: (_claim: CardClaim, { data }: Claimed): CardClaim => data,
}
