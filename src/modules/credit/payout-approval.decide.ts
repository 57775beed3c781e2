import type { Decider } from '#kernel/event'
import { giftEntry, type FamilyCredit, type FamilyCreditEvent } from './family-credit'
import { familyCredit, type CreditCommand } from './family-credit.decide'
import {
  creditGiftAsked,
  creditPayoutApproved,
  creditPayoutAsked,
  creditPayoutWithdrawn,
  type AskedGift,
  type AskedPayout,
  type PayoutAsk,
} from './payouts'
import { refusal } from './refusals'

type AskFor = { kind: 'ask'; payout: Omit<AskedPayout, 'at'>; now: Date }
type AskForGift = { kind: 'ask-gift'; gift: Omit<AskedGift, 'at'>; now: Date }
type Judge = { kind: 'approve' | 'withdraw'; payoutId: string; by: number; now: Date }
type WithdrawAll = { kind: 'withdraw-all'; by: number; now: Date }
type PayoutApprovalCommand = AskFor | AskForGift | Judge | WithdrawAll

const decide = (command: PayoutApprovalCommand, credit: FamilyCredit): FamilyCreditEvent[] => {
  switch (command.kind) {
    case 'ask':
      return [creditPayoutAsked({ ...command.payout, at: command.now.toISOString() })]
    case 'ask-gift':
      return [creditGiftAsked({ ...command.gift, at: command.now.toISOString() })]
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

export const payoutApproval = { ...familyCredit, decide } satisfies Decider<
  FamilyCredit,
  PayoutApprovalCommand,
  FamilyCreditEvent
> &
  Record<string, unknown>

/** The asker never approves. Repeatable by the same administrator. */
const approve = ({ payoutId, by, now }: Judge, credit: FamilyCredit): FamilyCreditEvent[] => {
  const ask = askOf(credit, payoutId)
  if (ask.state === 'approved' && ask.judgedBy === by) return []
  if (ask.state !== 'waiting') throw refusal('no_approval')
  if (ask.by === by) throw refusal('approval_own')
  const { userId, kind } = ask
  const approved = creditPayoutApproved({ userId, payoutId, by, kind, at: now.toISOString() })
  return [approved, ...familyCredit.decide(done(ask, now), familyCredit.evolve(credit, approved))]
}

const done = (ask: PayoutAsk, now: Date): CreditCommand => {
  const { userId, payoutId, amount, by } = ask
  if (ask.kind === 'gift') return { kind: 'give', entry: giftOf(ask), now }
  const { method, reference } = ask
  return { kind: 'pay-out', payout: { userId, payoutId, amount, method, reference, by }, now }
}

export const giftOf = ({ userId, payoutId, amount, text }: Omit<AskedGift, 'at' | 'by'>) => ({
  userId,
  entryId: giftEntry(payoutId),
  kind: 'gift' as const,
  amount,
  attemptId: null,
  about: { orderId: null, reference: null },
  text,
})

const withdraw = (command: Judge, credit: FamilyCredit): FamilyCreditEvent[] => {
  const { state } = askOf(credit, command.payoutId)
  if (state === 'withdrawn') return []
  if (state === 'approved') throw refusal('no_approval')
  return [withdrawn(command.payoutId, command, credit)]
}

const withdrawn = (payoutId: string, { by, now }: { by: number; now: Date }, credit: FamilyCredit) => {
  const { userId, kind } = askOf(credit, payoutId)
  return creditPayoutWithdrawn({ userId, payoutId, by, kind, at: now.toISOString() })
}

export const askOf = ({ asks }: FamilyCredit, payoutId: string): PayoutAsk => {
  const ask = asks.get(payoutId)
  if (!ask) throw refusal('payout_not_found')
  return ask
}
