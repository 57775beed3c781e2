import { type MealLine } from '#kernel/meal-line'
import type { BlockedLine } from '../attempt/events'
import { paidInTime } from '../attempt/paid-in-time'
import type { Standing } from '../attempt/payment-attempt'

/**
 * What becomes of a paid line whose item was made unavailable or archived since (payments.md section 8 rule 1): its
 * order is made all the same, or it waits for an administrator.
 */
export type WithdrawnItems = 'honour' | 'hold'

export type FulfilmentFacts = {
  /** The lines that have their order already, because a crash came before we knew: they are as good as any. */
  alreadyOrdered: ReadonlySet<number>
  unavailableReasons: readonly BlockedLine[]
  /** The lines whose day belongs to another attempt. */
  conflicts: ReadonlySet<number>
  /** How long after a day's cutoff a payment still counts as in time. */
  graceMinutes: number
  withdrawnItems: WithdrawnItems
}

/** Which of these lines cannot become orders now, each with its reason. */
export const blockedLines = (
  attempt: Standing,
  lines: readonly MealLine[],
  { alreadyOrdered, unavailableReasons, conflicts, graceMinutes, withdrawnItems }: FulfilmentFacts,
): BlockedLine[] => {
  const reasons = new Map(unavailableReasons.map(({ index, reason }) => [index, reason]))
  return lines.flatMap((line): BlockedLine[] => {
    const { index } = line
    if (alreadyOrdered.has(index)) return []
    const unavailableReason = reasons.get(index) ?? null
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
