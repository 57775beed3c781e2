import { moneyOf, type MealLine } from '#kernel/meal-line'
import type { Ngwee } from '#kernel/money'
import { isAwaited, isGivenUp, type PaymentAttempt, type StartedAttempt } from './payment-attempt'

export type CreditLine = { index: number; amount: Ngwee; wants: 'held' | 'spent' | 'released' | 'as-is' }

export const withCredit = (lines: readonly MealLine[], balance: Ngwee): MealLine[] => {
  let left = balance
  return lines.map((line) => {
    const credit = Math.min(line.price, left)
    left -= credit
    return credit > 0 ? { ...line, credit } : line
  })
}

export const toPayFor = (lines: readonly MealLine[]): Ngwee =>
  lines.reduce((sum, line) => sum + moneyOf(line), 0)

export const creditLines = (attempt: PaymentAttempt): CreditLine[] =>
  attempt.status === 'none'
    ? []
    : attempt.checkout.lines.flatMap(({ index, credit = 0 }) =>
        credit > 0 ? [{ index, amount: credit, wants: wantedFor(attempt, index) }] : [],
      )

/** Held while payable, spent once ordered, else released. */
const wantedFor = (attempt: StartedAttempt, index: number): CreditLine['wants'] => {
  const outcome = attempt.outcomes[index]
  if (outcome?.kind === 'ordered') return 'spent'
  if (outcome?.kind === 'waived') return 'released'
  if (attempt.status === 'draft' || isAwaited(attempt)) return 'held'
  const isRefused = attempt.status === 'releasing' || attempt.status === 'refused'
  return isGivenUp(attempt) || isRefused ? 'released' : 'as-is'
}
