import type { Decider } from '#kernel/decider'
import type { FamilyCredit, FamilyCreditEvent, Payout } from './family-credit'
import { familyCredit } from './family-credit.decide'
import {
  creditPayoutApproved,
  creditPayoutAsked,
  creditPayoutWithdrawn,
  type PayoutAsk,
} from './payout-approval'
import { refusal } from './refusals'

/** Asks that another administrator approves this payout, for which the decision to pay out stands. */
type AskFor = { kind: 'ask'; payout: Omit<PayoutAsk, 'at' | 'state' | 'judgedBy'>; now: Date }
type Judge = { kind: 'approve' | 'withdraw'; payoutId: string; by: number; now: Date }
type WithdrawAll = { kind: 'withdraw-all'; by: number; now: Date }
type PayoutApprovalCommand = AskFor | Judge | WithdrawAll

const decide = (command: PayoutApprovalCommand, credit: FamilyCredit): FamilyCreditEvent[] => {
  switch (command.kind) {
    case 'ask':
      return [creditPayoutAsked({ ...command.payout, at: command.now.toISOString() })]
    case 'approve':
      return approve(command, credit)
    case 'withdraw':
      return withdraw(command, credit)
    case 'withdraw-all':
      return [...credit.asks.values()]
        .filter(({ state }) => state === 'waiting')
        .map(({ payoutId }) => withdrawn(payoutId, command, credit))
  }
}

/** Payouts that one administrator may not let go alone: the families' own streams, and what is decided of asking. */
export const payoutApproval = { ...familyCredit, decide } satisfies Decider<
  FamilyCredit,
  PayoutApprovalCommand,
  FamilyCreditEvent
> &
  Record<string, unknown>

/** Whoever asked never approves. Approved again by the same administrator it is what it was. */
const approve = ({ payoutId, by, now }: Judge, credit: FamilyCredit): FamilyCreditEvent[] => {
  const ask = askOf(credit, payoutId)
  if (ask.state === 'approved' && ask.judgedBy === by) return []
  if (ask.state !== 'waiting') throw refusal('no_approval')
  if (ask.by === by) throw refusal('approval_own')
  const { userId, amount, method, reference } = ask
  const payout: Omit<Payout, 'balanceAfter' | 'at'> = {
    userId,
    payoutId,
    amount,
    method,
    reference,
    by: ask.by,
  }
  const approved = creditPayoutApproved({ userId, payoutId, by, at: now.toISOString() })
  const after = familyCredit.evolve(credit, approved)
  return [approved, ...familyCredit.decide({ kind: 'pay-out', payout, now }, after)]
}

/** By whoever asked, or by another who does not approve. */
const withdraw = (command: Judge, credit: FamilyCredit): FamilyCreditEvent[] => {
  const { state } = askOf(credit, command.payoutId)
  if (state === 'withdrawn') return []
  if (state === 'approved') throw refusal('no_approval')
  return [withdrawn(command.payoutId, command, credit)]
}

const withdrawn = (payoutId: string, { by, now }: { by: number; now: Date }, credit: FamilyCredit) =>
  creditPayoutWithdrawn({ userId: askOf(credit, payoutId).userId, payoutId, by, at: now.toISOString() })

/** What was asked for by this request. */
export const askOf = ({ asks }: FamilyCredit, payoutId: string): PayoutAsk => {
  const ask = asks.get(payoutId)
  if (!ask) throw refusal('payout_not_found')
  return ask
}
