import { z } from 'zod'
import { eventType, type EventOf } from '#kernel/event'
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
export type CardRefundEvent = EventOf<(typeof cardRefundEventTypes)[number]>
export type CardAnswer = Pick<EventOf<typeof cardRefundAnswered>['data'], 'answer' | 'code' | 'explanation'>

/**
 * Latest card refund request. While `requested` (unknown), `pending` (at the provider) or `check` (with a person), no other way pays it
 * back.
 */
export type CardRefund = {
  requestId: string
  /** All request ids, so that none starts twice. */
  asked: readonly string[]
  amount: Ngwee
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
    const { requestId, amount, by, before, at: since } = data
    const asked = [...(card?.asked ?? []).slice(-maxRemembered), requestId]
    return { requestId, asked, amount, by, before, state: 'requested', answer: null, since }
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
