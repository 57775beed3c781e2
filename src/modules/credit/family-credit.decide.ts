import type { Decider } from '#kernel/event'
import type { Ngwee } from '#kernel/money'
import {
  creditCharged,
  creditGiven,
  creditHeld,
  creditPaidOut,
  creditReleased,
  creditSpent,
  creditTakenBack,
  evolve,
  giftIdOf,
  noCredit,
  readCreditEvent,
  returned,
  isActive,
  giftEntry,
  type CreditEvent,
  type FamilyCredit,
  type Given,
  type Payout,
  type FamilyCreditEvent,
} from './family-credit'
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

type Give = { kind: 'give'; entry: Omit<Given, 'balanceAfter' | 'at'>; now: Date }
type TakeBack = { kind: 'take-back'; entryId: string; text: string; now: Date }
type Charge = {
  kind: 'charge'
  charge: Pick<Given, 'userId' | 'entryId' | 'amount' | 'about' | 'text'> & { attemptId: string }
  now: Date
}
type PayOut = { kind: 'pay-out'; payout: Omit<Payout, 'balanceAfter' | 'at'>; now: Date }

export type WantedLine = { index: number; amount: Ngwee; wants: 'held' | 'spent' | 'released' | 'as-is' }
export type WantedCheckout = {
  userId: number
  attemptId: string
  reference: string | null
  lines: readonly WantedLine[]
  texts: { held: string; released: string }
}
type Follow = { kind: 'follow'; checkout: WantedCheckout; now: Date }

export type CreditCommand = Give | TakeBack | Charge | PayOut | Follow

const decide = (command: CreditCommand, credit: FamilyCredit): CreditEvent[] => {
  switch (command.kind) {
    case 'give':
      return give(command, credit)
    case 'take-back':
      return takeBack(command, credit)
    case 'charge':
      return charge(command, credit)
    case 'pay-out':
      return payOut(command, credit)
    case 'follow':
      return follow(command, credit)
  }
}

export const familyCredit = {
  streamOf: (userId: number): string => `familyCredit-${userId}`,
  read: readCreditEvent,
  initial: noCredit,
  evolve,
  decide,
} satisfies Decider<FamilyCredit, CreditCommand, CreditEvent> & Record<string, unknown>

const give = ({ entry, now }: Give, { balance, given, asks }: FamilyCredit): CreditEvent[] => {
  const known = given.get(entry.entryId)
  const ask = asks.get(giftIdOf(entry.entryId) ?? '')
  for (const one of [known, ask])
    if (one && (one.amount !== entry.amount || !('text' in one) || one.text !== entry.text))
      throw refusal('idempotency_key_reused')
  if (ask?.state === 'withdrawn') throw refusal('approval_withdrawn')
  if ((known && !known.takenBack) || ask?.state === 'waiting') return []
  return [creditGiven({ ...entry, balanceAfter: balance + entry.amount, at: now.toISOString() })]
}

/** All or nothing: spent credit cannot be taken back. */
const takeBack = ({ entryId, text, now }: TakeBack, { balance, given }: FamilyCredit): CreditEvent[] => {
  const entry = given.get(entryId)
  if (!entry || entry.takenBack) return []
  const { userId, amount, about, attemptId } = entry
  if (amount > balance) throw refusal('credit_spent')
  const balanceAfter = balance - amount
  return [
    creditTakenBack({
      userId,
      entryId,
      attemptId,
      amount,
      about,
      text,
      balanceAfter,
      at: now.toISOString(),
    }),
  ]
}

const charge = ({ charge: asked, now }: Charge, credit: FamilyCredit): CreditEvent[] => {
  const { entryId, text } = asked
  const { balance, charged } = credit
  const isReturned = isActive(credit, returned(entryId))
  if (charged.has(entryId) && !isReturned) return []
  const short = asked.amount - balance
  if (short > 0) throw refusal('credit_short', { extra: { short: short / 100 } })
  if (isReturned) return takeBack({ kind: 'take-back', entryId: returned(entryId), text, now }, credit)
  return [creditCharged({ ...asked, balanceAfter: balance - asked.amount, at: now.toISOString() })]
}

const payOut = ({ payout, now }: PayOut, { balance, payouts, asks }: FamilyCredit): CreditEvent[] => {
  const known = payouts.get(payout.payoutId)
  if (known && !isSame(known, payout)) throw refusal('idempotency_key_reused')
  const ask = asks.get(payout.payoutId)
  if (ask && (ask.kind !== 'payout' || !isSame(ask, payout))) throw refusal('idempotency_key_reused')
  if (ask?.state === 'withdrawn') throw refusal('approval_withdrawn')
  if (known || ask?.state === 'waiting') return []
  if (payout.amount > balance) throw refusal('payout_exceeds_balance')
  return [creditPaidOut({ ...payout, balanceAfter: balance - payout.amount, at: now.toISOString() })]
}

const isSame = (known: Pick<Payout, 'amount' | 'method' | 'reference'>, asked: PayOut['payout']): boolean =>
  known.amount === asked.amount && known.method === asked.method && known.reference === asked.reference

/** Holds credit by line as far as the balance goes, spends lines that became meals and releases the rest. Spent stays spent. */
const follow = ({ checkout, now }: Follow, credit: FamilyCredit): CreditEvent[] => {
  const { userId, attemptId, reference, texts } = checkout
  const known = credit.checkouts.get(attemptId)
  const isKnown = ({ index }: WantedLine, ...statuses: string[]) =>
    statuses.includes(known?.get(index)?.status ?? 'none')
  const held: WantedLine[] = []
  let left = credit.balance
  for (const line of checkout.lines) {
    const isWanted = line.wants === 'held' || line.wants === 'spent'
    if (!isWanted || isKnown(line, 'held', 'spent') || line.amount > left) continue
    left -= line.amount
    held.push(line)
  }
  const spent = checkout.lines.filter(
    (line) => line.wants === 'spent' && (isKnown(line, 'held') || held.includes(line)),
  )
  const released = checkout.lines.filter((line) => line.wants === 'released' && isKnown(line, 'held'))
  const at = now.toISOString()
  const about = { orderId: null, reference }
  const common = (lines: readonly WantedLine[]) => ({
    userId,
    attemptId,
    lines: lines.map(({ index, amount }) => ({ index, amount })),
    amount: amountOf(lines),
    at,
  })
  const balanceAfter = left + amountOf(released)
  return [
    ...(held.length > 0
      ? [creditHeld({ ...common(held), about, text: texts.held, balanceAfter: left })]
      : []),
    ...(spent.length > 0 ? [creditSpent(common(spent))] : []),
    ...(released.length > 0
      ? [creditReleased({ ...common(released), about, text: texts.released, balanceAfter })]
      : []),
  ]
}

const amountOf = (lines: readonly { amount: Ngwee }[]): Ngwee =>
  lines.reduce((sum, { amount }) => sum + amount, 0)

type AskFor = { kind: 'ask'; payout: Omit<AskedPayout, 'at'>; now: Date }
type AskForGift = { kind: 'ask-gift'; gift: Omit<AskedGift, 'at'>; now: Date }
type Judge = { kind: 'approve' | 'withdraw'; payoutId: string; by: number; now: Date }
type WithdrawAll = { kind: 'withdraw-all'; by: number; now: Date }
type PayoutApprovalCommand = AskFor | AskForGift | Judge | WithdrawAll

const decideApproval = (command: PayoutApprovalCommand, credit: FamilyCredit): FamilyCreditEvent[] => {
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

export const payoutApproval = { ...familyCredit, decide: decideApproval } satisfies Decider<
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
