import { type MealLine } from '#kernel/meal-line'
import type { Standing } from './payment-attempt'

/**
 * Whether a line was paid in time for its day (payments.md section 8 rule 3): its token was issued before the cutoff and
 * the payment verified at most `graceMinutes` after it. A line that a person amended was in time when it was amended.
 */
export const paidInTime = (attempt: Standing, line: MealLine, graceMinutes: number): boolean => {
  if (attempt.amended.includes(line.index)) return true
  const cutoff = Date.parse(line.cutoffAt)
  const issued = attempt.token ? Date.parse(attempt.token.issuedAt) : 0
  const verified = attempt.money ? Date.parse(attempt.money.verifiedAt) : Infinity
  return issued < cutoff && verified <= cutoff + graceMinutes * 60_000
}
