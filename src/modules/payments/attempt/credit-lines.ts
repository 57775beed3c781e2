import { moneyOf, type MealLine } from '#kernel/meal-line'
import type { Ngwee } from '#kernel/money'
import { isAwaited, isGivenUp, type PaymentAttempt, type StartedAttempt } from './payment-attempt'

/** A line's part in credit, and what shall be of it; `as-is` leaves it. */
export type CreditLine = { index: number; amount: Ngwee; wants: 'held' | 'spent' | 'released' | 'as-is' }

/** As much credit as helps, line by line in the cart's order. */
export const withCredit = (lines: readonly MealLine[], balance: Ngwee): MealLine[] => {
  let left = balance
  return lines.map((line) => {
    const credit = Math.min(line.price, left)
    left -= credit
    return credit > 0 ? { ...line, credit } : line
  })
}

/** What is to be paid with money. */
export const toPayFor = (lines: readonly MealLine[]): Ngwee =>
  lines.reduce((sum, line) => sum + moneyOf(line), 0)

/** What shall be of the credit of a checkout's lines, as the checkout now stands; empty where none is used. */
export const creditLines = (attempt: PaymentAttempt): CreditLine[] =>
  attempt.status === 'none'
    ? []
    : attempt.checkout.lines.flatMap(({ index, credit = 0 }) =>
        credit > 0 ? [{ index, amount: credit, wants: wantedFor(attempt, index) }] : [],
      )

/** Held while somebody may pay, spent once the line is an order, free again when it becomes none. */
const wantedFor = (attempt: StartedAttempt, index: number): CreditLine['wants'] => {
  const outcome = attempt.outcomes[index]
  if (outcome?.kind === 'ordered') return 'spent'
  if (outcome?.kind === 'waived') return 'released'
  if (attempt.status === 'draft' || isAwaited(attempt)) return 'held'
  const isRefused = attempt.status === 'releasing' || attempt.status === 'refused'
  return isGivenUp(attempt) || isRefused ? 'released' : 'as-is'
}
