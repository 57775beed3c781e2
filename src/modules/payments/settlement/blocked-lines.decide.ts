import { type MealLine } from '#kernel/meal-line'
import { type BlockedLine } from '../attempt/events'
import { type Standing } from '../attempt/payment-attempt'

export type FulfilmentFacts = {
  /** The lines that have their order already, because a crash came before we knew: they are as good as any. */
  alreadyOrdered: ReadonlySet<number>
  unavailableReasons: readonly BlockedLine[]
  /** The lines whose day is somebody else's. */
  conflicts: ReadonlySet<number>
  /** How long after a day's cutoff a payment still counts as in time. */
  graceMinutes: number
  withdrawnItems: 'honour' | 'hold'
}

/** Which of these lines cannot become orders now, each with its reason. */
export const blockedLines = (
  attempt: Standing,
  lines: readonly MealLine[],
  { alreadyOrdered, unavailableReasons, conflicts, graceMinutes, withdrawnItems }: FulfilmentFacts,
): BlockedLine[] => {
  const unavailable = new Map(unavailableReasons.map(({ index, reason }) => [index, reason]))
  return lines.flatMap((line): BlockedLine[] => {
    const { index } = line
    if (alreadyOrdered.has(index)) return []
    const unavailableReason = unavailable.get(index) ?? null
    const isWithdrawn = unavailableReason === 'item_withdrawn'
    const late = paidInTime(attempt, line, graceMinutes) ? null : 'cutoff_passed'
    const held =
      isWithdrawn && withdrawnItems === 'hold' && !isJudged(attempt, index) ? unavailableReason : null
    const reason =
      (isWithdrawn ? null : unavailableReason) ??
      late ??
      (conflicts.has(index) ? 'duplicate_day' : null) ??
      held
    return reason ? [{ index, reason }] : []
  })
}

/** Somebody saw that the line was held and retries it, or has amended it: it is to be cooked. */
const isJudged = ({ fates, amended }: Standing, index: number): boolean => {
  const fate = fates[index]
  return amended.includes(index) || (fate?.kind === 'blocked' && fate.reason === 'item_withdrawn')
}

/**
 * Whether a line was paid in time for its day (payments.md section 8 rule 3): its token was issued before the cutoff and
 * the payment verified at most `graceMinutes` after it. A line that a person amended was in time when it was amended.
 */
const paidInTime = (attempt: Standing, line: MealLine, graceMinutes: number): boolean => {
  if (attempt.amended.includes(line.index)) return true
  const cutoff = Date.parse(line.cutoffAt)
  const issued = attempt.token ? Date.parse(attempt.token.issuedAt) : 0
  const verified = attempt.money ? Date.parse(attempt.money.verifiedAt) : Infinity
  return issued < cutoff && verified <= cutoff + graceMinutes * 60_000
}
