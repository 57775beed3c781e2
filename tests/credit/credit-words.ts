import {
  creditCharged,
  creditGiven,
  creditHeld,
  creditPaidOut,
  creditReleased,
  creditSpent,
  creditTakenBack,
  type Given,
  type GivenKind,
  type Payout,
} from '#modules/credit/family-credit'
import type { CreditCommand, WantedLine } from '#modules/credit/family-credit.decide'
import { attempt, mary, monday7 } from '../ordering/lunches'

const at = monday7.toISOString()
export const order = '118.2026-09-15.1'
const bursar = 5
export const reference = 'LP-7K3QW9ZD2M'
export const texts = { held: 'Two meals', released: 'Two meals: not paid' }

/** The nth time that credit was paid out. */
const payoutId = (number: number): string => `0199c0de-0000-7000-8000-00000000020${number}`

const entry = (entryId: string, kind: GivenKind, amount: number): Omit<Given, 'balanceAfter' | 'at'> => ({
  userId: mary,
  entryId,
  kind,
  amount,
  attemptId: kind === 'gift' ? null : attempt,
  about: { orderId: kind === 'gift' ? null : order, reference: null },
  text: `${kind} ${entryId}`,
})

const changed = (amount: number, balanceAfter: number, text: string, orderId: string | null) => ({
  userId: mary,
  attemptId: attempt,
  amount,
  balanceAfter,
  text,
  about: { orderId, reference: orderId === null ? reference : null },
  at,
})

const linesOf = (amounts: Record<number, number>) => ({
  lines: Object.entries(amounts).map(([index, amount]) => ({ index: Number(index), amount })),
  amount: Object.values(amounts).reduce((sum, amount) => sum + amount, 0),
})

/** What happened to Mary's credit. */
export const given = (entryId: string, kind: GivenKind, amount: number, balanceAfter: number) =>
  creditGiven({ ...entry(entryId, kind, amount), balanceAfter, at })
export const takenBack = (entryId: string, kind: GivenKind, amount: number, balanceAfter: number) => {
  const { attemptId, about } = entry(entryId, kind, amount)
  const text = 'Cooked after all'
  return creditTakenBack({ userId: mary, entryId, attemptId, about, amount, text, balanceAfter, at })
}
export const held = (amounts: Record<number, number>, balanceAfter: number) => {
  const { lines, amount } = linesOf(amounts)
  return creditHeld({ ...changed(amount, balanceAfter, texts.held, null), lines })
}
export const spent = (amounts: Record<number, number>) =>
  creditSpent({ userId: mary, attemptId: attempt, ...linesOf(amounts), at })
export const released = (amounts: Record<number, number>, balanceAfter: number) => {
  const { lines, amount } = linesOf(amounts)
  return creditReleased({ ...changed(amount, balanceAfter, texts.released, null), lines })
}
export const charged = (entryId: string, amount: number, balanceAfter: number) =>
  creditCharged({ ...changed(amount, balanceAfter, 'A dearer meal', order), entryId })
export const paidOut = (
  number: number,
  amount: number,
  balanceAfter: number,
  more: Partial<Pick<Payout, 'method' | 'reference'>> = {},
) => creditPaidOut({ ...payoutOf(number, amount), balanceAfter, at, ...more })

const payoutOf = (number: number, amount: number) => ({
  userId: mary,
  payoutId: payoutId(number),
  amount,
  method: 'cash' as const,
  reference: null,
  by: bursar,
})

/** What somebody wants done to it. */
export const give = (entryId: string, kind: GivenKind, amount: number): CreditCommand => ({
  kind: 'give',
  entry: entry(entryId, kind, amount),
  now: monday7,
})
export const takeBack = (entryId: string): CreditCommand => ({
  kind: 'take-back',
  entryId,
  text: 'Cooked after all',
  now: monday7,
})
export const charge = (entryId: string, amount: number): CreditCommand => ({
  kind: 'charge',
  charge: {
    userId: mary,
    entryId,
    attemptId: attempt,
    amount,
    about: { orderId: order, reference: null },
    text: 'A dearer meal',
  },
  now: monday7,
})
export const payOut = (
  number: number,
  amount: number,
  more: Partial<Pick<Payout, 'method' | 'reference'>> = {},
): CreditCommand => ({ kind: 'pay-out', payout: { ...payoutOf(number, amount), ...more }, now: monday7 })

/** The checkout with its lines' parts in credit, and what each shall be. */
export const follow = (...lines: [amount: number, wants: WantedLine['wants']][]): CreditCommand => ({
  kind: 'follow',
  checkout: {
    userId: mary,
    attemptId: attempt,
    reference,
    texts,
    lines: lines.map(([amount, wants], index) => ({ index, amount, wants })),
  },
  now: monday7,
})
