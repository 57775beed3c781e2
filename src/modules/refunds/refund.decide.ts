import type { RefundMethod } from '#contracts/refunds'
import type { Decider } from '#kernel/event'
import type { Ngwee } from '#kernel/money'
import { isUnderWay } from './card-refund'
import {
  payoutApproved,
  payoutAsked,
  payoutAskWithdrawn,
  evolve,
  maxParts,
  noRefund,
  owedOf,
  readRefundEvent,
  refundDue,
  refundPaidBack,
  refundWithdrawn,
  type Asks,
  type Ask,
  type Due,
  type Payout,
  type Refund,
  type RefundEvent,
} from './refund'
import { refusal } from './refusals'

type Open = { kind: 'open'; due: Omit<Due, 'at'>; now: Date }
type Withdraw = { kind: 'withdraw'; now: Date }
type PayBack = { kind: 'pay-back'; payout: PayoutRequest; now: Date }

export type PayoutRequest = Pick<Payout, 'payoutId' | 'method' | 'reference' | 'note' | 'by'> & {
  amount: Ngwee | null
}

type RefundCommand = Open | Withdraw | PayBack

const decide = (command: RefundCommand, refund: Refund): RefundEvent[] => {
  switch (command.kind) {
    case 'open':
      return open(command, refund)
    case 'withdraw':
      return withdraw(command, refund)
    case 'pay-back':
      return payBack(command, refund)
  }
}

export const refundDecider = {
  streamOf: (id: string): string => `refund-${id}`,
  read: readRefundEvent,
  initial: noRefund,
  evolve,
  decide,
} satisfies Decider<Refund, RefundCommand, RefundEvent> & Record<string, unknown>

/** An order's due amount may change until some went back; an attempt's is decided once. */
const open = ({ due, now }: Open, refund: Refund): RefundEvent[] => {
  const opened = refundDue({ ...due, at: now.toISOString() })
  if (refund.status === 'none' || refund.status === 'withdrawn') return [opened]
  const isOther = due.orderId !== null && due.amount !== refund.due.amount
  const withdrawn = isOther ? withdraw({ kind: 'withdraw', now }, refund) : []
  return withdrawn.length > 0 ? [...withdrawn, opened] : []
}

/** Refused once part went back or may be on its way to the card. */
const withdraw = ({ now }: Withdraw, refund: Refund): RefundEvent[] =>
  refund.status === 'due' && refund.payouts.length === 0 && !isUnderWay(refund.card)
    ? [refundWithdrawn({ refundId: refund.due.refundId, at: now.toISOString() })]
    : []

const payBack = ({ payout, now }: PayBack, refund: Refund): RefundEvent[] => {
  if (refund.status === 'none') throw refusal('refund_not_found')
  if (refund.status === 'withdrawn') throw refusal('refund_withdrawn')
  const known = refund.payouts.find(({ payoutId }) => payoutId === payout.payoutId)
  if (known && !isSame(known, payout)) throw refusal('idempotency_key_reused')
  if (known || isPaidBackSo(refund, payout) || isWaiting(refund.asks, payout)) return []
  if (isUnderWay(refund.card)) throw refusal('refund_pending')
  const owed = owedOf(refund)
  const amount = payout.amount ?? owed
  if (amount > owed) throw refusal('refund_exceeds_due')
  if (amount < owed && refund.payouts.length >= maxParts) throw refusal('too_many_payouts')
  const { refundId, orderId, attemptId, part } = refund.due
  const about = { refundId, orderId, attemptId, part }
  return [refundPaidBack({ ...about, ...payout, amount, stillOwed: owed - amount, at: now.toISOString() })]
}

/** Repeating the last payout is idempotent; another way is refused. */
const isPaidBackSo = (
  { status, payouts }: Extract<Refund, { payouts: unknown }>,
  { method, amount }: PayoutRequest,
): boolean => {
  if (status === 'due') return false
  const last = payouts.at(-1)
  if (method === 'given_up' || (last?.method === method && (amount ?? last.amount) === last.amount))
    return true
  throw refusal('refund_paid_back')
}

/** Credit and waivers leave no account and need no approval. */
export const isCashOut = (method: Payout['method']): method is RefundMethod =>
  method !== 'credit' && method !== 'given_up'

/** Other requests wait until this one is approved or withdrawn. */
const isWaiting = ({ waiting, withdrawn }: Asks, payout: PayoutRequest): boolean => {
  if (!isCashOut(payout.method)) return false
  if (withdrawn.includes(payout.payoutId)) throw refusal('approval_withdrawn')
  if (!waiting) return false
  if (waiting.askId !== payout.payoutId) throw refusal('approval')
  if (!isSame(waiting, payout)) throw refusal('idempotency_key_reused')
  return true
}

const isSame = (
  known: Pick<Payout, 'amount' | 'method' | 'reference' | 'note'>,
  asked: PayoutRequest,
): boolean =>
  (asked.amount === null || asked.amount === known.amount) &&
  asked.method === known.method &&
  asked.reference === known.reference &&
  asked.note === known.note

type AskFor = {
  kind: 'ask'
  payout: Pick<Ask, 'amount' | 'method' | 'reference' | 'note' | 'by'> & { payoutId: string }
  toCard: boolean
  now: Date
}
type Approve = { kind: 'approve'; by: number; seenAt: string | null; now: Date }
type WithdrawAsk = { kind: 'withdraw-ask'; by: number; now: Date }
type ApprovalCommand = AskFor | Approve | WithdrawAsk

const decideApproval = (command: ApprovalCommand, refund: Refund): RefundEvent[] => {
  switch (command.kind) {
    case 'ask':
      return askFor(command, refund)
    case 'approve':
      return approve(command, refund)
    case 'withdraw-ask':
      return withdrawAsk(command, refund)
  }
}

export const approvalDecider = { ...refundDecider, decide: decideApproval } satisfies Decider<
  Refund,
  ApprovalCommand,
  RefundEvent
> &
  Record<string, unknown>

const askFor = ({ payout, toCard, now }: AskFor, refund: Refund): RefundEvent[] => {
  const { payoutId: askId, ...asked } = payout
  const { refundId } = owedBack(refund).due
  return [payoutAsked({ ...asked, refundId, askId, toCard, at: now.toISOString() })]
}

/** The asker never approves. Repeatable by the same administrator. */
const approve = ({ by, seenAt, now }: Approve, refund: Refund): RefundEvent[] => {
  const { asks, status } = owedBack(refund)
  if (!asks.waiting && asks.approved?.by === by) return []
  if (status === 'paid_back') throw refusal('refund_paid_back')
  const ask = waitingIn(refund)
  if (ask.by === by) throw refusal('approval_own')
  if (seenAt !== null && seenAt !== ask.at) throw refusal('approval_changed')
  const { refundId, askId } = ask
  const approved = payoutApproved({ refundId, askId, by, at: now.toISOString() })
  if (ask.toCard) return [approved]
  const payout = payoutOf(ask)
  const paid = refundDecider.decide({ kind: 'pay-back', payout, now }, evolve(refund, approved))
  return [approved, ...paid]
}

const withdrawAsk = ({ by, now }: WithdrawAsk, refund: Refund): RefundEvent[] => {
  const { asks, status } = owedBack(refund)
  if (!asks.waiting && asks.withdrawn.length > 0 && status === 'due') return []
  if (status === 'paid_back') throw refusal('refund_paid_back')
  const { refundId, askId } = waitingIn(refund)
  return [payoutAskWithdrawn({ refundId, askId, by, at: now.toISOString() })]
}

const payoutOf = ({ askId: payoutId, amount, method, reference, note, by }: Ask): PayoutRequest => ({
  payoutId,
  amount,
  method,
  reference,
  note,
  by,
})

const owedBack = (refund: Refund) => {
  if (refund.status === 'none') throw refusal('refund_not_found')
  if (refund.status === 'withdrawn') throw refusal('refund_withdrawn')
  return refund
}

export const waitingIn = (refund: Refund): Ask => {
  const { asks } = owedBack(refund)
  if (!asks.waiting) throw refusal('no_approval')
  return asks.waiting
}
