import type { Decider } from '#kernel/event'
import { payoutApproved, payoutAsked, payoutAskWithdrawn, type Ask } from './approval'
import { evolve, type Refund, type RefundEvent } from './refund'
import { refundDecider, type PayoutRequest } from './refund.decide'
import { refusal } from './refusals'

type AskFor = {
  kind: 'ask'
  payout: Pick<Ask, 'amount' | 'method' | 'reference' | 'note' | 'by'> & { payoutId: string }
  toCard: boolean
  now: Date
}
type Approve = { kind: 'approve'; by: number; seenAt: string | null; now: Date }
type WithdrawAsk = { kind: 'withdraw-ask'; by: number; now: Date }
type ApprovalCommand = AskFor | Approve | WithdrawAsk

const decide = (command: ApprovalCommand, refund: Refund): RefundEvent[] => {
  switch (command.kind) {
    case 'ask':
      return askFor(command, refund)
    case 'approve':
      return approve(command, refund)
    case 'withdraw-ask':
      return withdrawAsk(command, refund)
  }
}

export const approvalDecider = { ...refundDecider, decide } satisfies Decider<
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
