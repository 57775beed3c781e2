import { z } from 'zod'
import { refundMethods } from '#contracts/refunds'
import { eventReader, eventType, type EventOf } from '#kernel/event'
import { orderId, rowId } from '#kernel/id'
import type { Ngwee } from '#kernel/money'
import { afterPayout, cardRefundEventTypes, evolveCard, type CardRefund } from './card-refund'

const at = z.iso.datetime()
const amount = z.int().positive()
const refundId = z.string().min(1)
/** A line index, or money above the total. */
const part = z.union([z.int().nonnegative(), z.literal('surplus')])
type OwedPart = z.infer<typeof part>

const refundReasons = ['order_cancelled', 'line_waived', 'overpaid'] as const

const due = z.strictObject({
  refundId,
  orderId: orderId.nullable(),
  attemptId: z.uuid(),
  part,
  userId: rowId,
  amount,
  reason: z.enum(refundReasons),
  student: z.strictObject({ name: z.string(), grade: z.string() }),
  item: z.strictObject({ name: z.string() }),
  orderedAt: at,
  at,
})
const payout = z.strictObject({
  refundId,
  orderId: orderId.nullable(),
  attemptId: z.uuid(),
  part,
  payoutId: z.uuid(),
  amount,
  stillOwed: z.int().nonnegative(),
  /** `credit`: became family credit; `given_up`: waived by a deleted family. */
  method: z.enum([...refundMethods, 'credit', 'given_up']),
  reference: z.string().nullable(),
  note: z.string().nullable(),
  by: rowId,
  at,
})

/** Money is owed back for a cancelled order, a waived line or a surplus. */
export const refundDue = eventType('refunds.refund-due.v1', due)
/**
 * What was said to be owed is not, and nothing had been paid back: the order is to be cooked again, or another amount
 * is owed, which is then said anew.
 */
export const refundWithdrawn = eventType('refunds.refund-withdrawn.v1', z.strictObject({ refundId, at }))
/** An administrator has paid back an amount, once per `payoutId`. */
export const refundPaidBack = eventType('refunds.refund-paid-back.v1', payout)

export const refundEventTypes = [refundDue, refundWithdrawn, refundPaidBack] as const
export type RefundMoneyEvent = EventOf<(typeof refundEventTypes)[number]>

const about = {
  refundId: z.string().min(1),
  /** Becomes the `payoutId` of the refund. */
  askId: z.uuid(),
  by: rowId,
  at: z.iso.datetime(),
}

const asked = z.strictObject({
  ...about,
  amount: z.int().positive(),
  method: z.enum(refundMethods),
  reference: z.string().nullable(),
  note: z.string().nullable(),
  toCard: z.boolean(),
})

/** An administrator wants to pay back more than one person may let go: another has to approve it. */
export const payoutAsked = eventType('refunds.payout-asked.v1', asked)

/** Another administrator has approved what was asked for. */
export const payoutApproved = eventType('refunds.payout-approved.v1', z.strictObject(about))

/** What was asked for is not to be paid back. */
export const payoutAskWithdrawn = eventType('refunds.payout-withdrawn.v1', z.strictObject(about))

export const approvalEventTypes = [payoutAsked, payoutApproved, payoutAskWithdrawn] as const

const allEventTypes = [...refundEventTypes, ...cardRefundEventTypes, ...approvalEventTypes] as const
export type RefundEvent = EventOf<(typeof allEventTypes)[number]>

export const readRefundEvent = eventReader(...allEventTypes)
export type Due = z.infer<typeof due>
export type Payout = z.infer<typeof payout>

/** Money owed for one order or line; `payouts` went back, `card` is the latest card request, `asks` waits for approval. */
export type Refund =
  | { status: 'none' }
  | { status: 'withdrawn'; due: Due }
  | { status: 'due' | 'paid_back'; due: Due; payouts: readonly Payout[]; card: CardRefund | null; asks: Asks }

/** Bounds the stream of one refund. */
export const maxParts = 50

export const noRefund: Refund = { status: 'none' }

export const refundIdOfPart = (attemptId: string, part: OwedPart): string => `${attemptId}.${part}`

export const owedOf = (refund: Refund): Ngwee =>
  refund.status === 'due' ? (refund.payouts.at(-1)?.stillOwed ?? refund.due.amount) : 0

export const evolve = (refund: Refund, event: RefundEvent): Refund => {
  switch (event.type) {
    case refundDue.type:
      return { status: 'due', due: event.data, payouts: [], card: null, asks: noAsks }
    case refundWithdrawn.type:
      return refund.status === 'due' ? { status: 'withdrawn', due: refund.due } : refund
    case refundPaidBack.type:
      return refund.status === 'due' ? paidBack(refund, event.data) : refund
    case payoutAsked.type:
    case payoutApproved.type:
    case payoutAskWithdrawn.type:
      return refund.status === 'due' ? { ...refund, asks: evolveAsks(refund.asks, event) } : refund
    default:
      return refund.status === 'due' ? { ...refund, card: evolveCard(refund.card, event) } : refund
  }
}

const paidBack = (
  { due: owed, payouts, card, asks }: Extract<Refund, { payouts: readonly Payout[] }>,
  latest: Payout,
): Refund => ({
  status: latest.stillOwed === 0 ? 'paid_back' : 'due',
  due: owed,
  payouts: [...payouts.slice(-maxParts), latest],
  card: afterPayout(card, latest),
  asks: { ...asks, waiting: null },
})

export const isAskedAs = (refund: Refund, payoutId: string): boolean =>
  'asks' in refund && refund.asks.waiting?.askId === payoutId

export type RefundAsCredit = Pick<
  Due,
  'refundId' | 'userId' | 'attemptId' | 'orderId' | 'part' | 'reason' | 'student' | 'item'
> & { payouts: { payoutId: string; amount: Ngwee }[] }

export const asCredit = (refund: Refund): RefundAsCredit | null => {
  if (refund.status !== 'due' && refund.status !== 'paid_back') return null
  const { refundId, userId, attemptId, orderId, part, reason, student, item } = refund.due
  const payouts = refund.payouts.filter(({ method }) => method === 'credit')
  return { refundId, userId, attemptId, orderId, part, reason, student, item, payouts }
}
type ApprovalEvent = EventOf<(typeof approvalEventTypes)[number]>
export type Ask = z.infer<typeof asked>

/** `waiting` for approval. A refund that becomes due again needs a new request. */
export type Asks = {
  waiting: Ask | null
  withdrawn: readonly string[]
  approved: { askId: string; by: number } | null
}

const maxRemembered = 50

const noAsks: Asks = { waiting: null, withdrawn: [], approved: null }

const evolveAsks = (asks: Asks, event: ApprovalEvent): Asks => {
  switch (event.type) {
    case payoutAsked.type:
      return { ...asks, waiting: event.data }
    case payoutApproved.type:
      return { ...asks, waiting: null, approved: { askId: event.data.askId, by: event.data.by } }
    case payoutAskWithdrawn.type:
      return {
        ...asks,
        waiting: null,
        withdrawn: [...asks.withdrawn.slice(-maxRemembered), event.data.askId],
      }
  }
}
