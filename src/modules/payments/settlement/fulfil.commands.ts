import { type MealLine } from '#kernel/meal-line'
import { WrongExpectedRevision } from '#platform/event-store/event-store'
import { retryOnConflict } from '#platform/event-store/retry-on-conflict'
import type { Log } from '#platform/log'
import type { BlockReason } from '../attempt/lines'
import { advanced, attemptAppend, loadAttempt } from '../attempt/attempts.commands'
import { blockedLines } from './blocked-lines.decide'
import type { WithdrawnItems } from './blocked-lines.decide'
import type { AttemptNow, Author, CompleteNeeds } from '../checkout/complete-checkout.commands'
import { isFulfilling } from '../attempt/mending.decide'
import { unresolvedLines } from '../attempt/payment-attempt'
import { paymentAttempt } from '../attempt/payment-attempt.decide'

export type FulfilNeeds = CompleteNeeds & {
  /** Why paid lines cannot be had now, whoever has their day. */
  paidLineUnavailableReasons: (
    userId: number,
    lines: readonly MealLine[],
    at: Date,
  ) => Promise<{ index: number; reason: BlockReason }[]>
  /** How long after a day's cutoff a payment still counts as in time. */
  graceMinutes: number
  withdrawnItems: WithdrawnItems
  log: Log
}

/**
 * Makes orders of what was paid for; lines that cannot be had are blocked, each with its reason (E14, E15). Safe to run
 * at any time and beside itself: the orders' events have ids of attempt and line. A fault is recorded (E16) and thrown.
 */
export const fulfilAttempt =
  (needs: FulfilNeeds) =>
  async (attemptId: string, by: Omit<Author, 'at'>): Promise<AttemptNow> => {
    try {
      return await retryOnConflict(() => fulfilOnce(needs, attemptId, by))
    } catch (fault) {
      if (!(fault instanceof WrongExpectedRevision)) await recordFailure(needs, attemptId, by, fault)
      throw fault
    }
  }

const fulfilOnce = async (
  needs: FulfilNeeds,
  attemptId: string,
  by: Omit<Author, 'at'>,
): Promise<AttemptNow> => {
  const loaded = await loadAttempt(needs.eventStore, attemptId)
  const { attempt } = loaded
  if (attempt.status === 'none' || !isFulfilling(attempt)) return loaded
  const author = { ...by, at: needs.now() }
  const lines = unresolvedLines(attempt)
  const { userId } = attempt.checkout
  const [meals, unavailableReasons] = await Promise.all([
    needs.mealsOf({ attemptId, userId, lines }),
    needs.paidLineUnavailableReasons(userId, lines, author.at),
  ])
  const blocked = blockedLines(attempt, lines, {
    alreadyOrdered: indexesOf(meals.orders()),
    unavailableReasons,
    conflicts: indexesOf(meals.conflicts(author.at)),
    graceMinutes: needs.graceMinutes,
    withdrawnItems: needs.withdrawnItems,
  })
  const bad = indexesOf(blocked)
  const good = new Set(lines.flatMap(({ index }) => (bad.has(index) ? [] : [index])))
  const { appends, orders } = meals.order('confirmed', author, good)
  const told = paymentAttempt.decide({ kind: 'record-fulfilment', orders, blocked, now: author.at }, attempt)
  const idSeed = `${attemptId}/fulfilled/${loaded.revision}`
  const position = await needs.eventStore.append([
    ...appends,
    ...attemptAppend(loaded, told, { ...author, idSeed }),
  ])
  return { attempt: advanced(loaded, told).attempt, position }
}

const indexesOf = (lines: readonly { index: number }[]) => new Set(lines.map(({ index }) => index))

const recordFailure = async (
  { eventStore, now, log }: FulfilNeeds,
  attemptId: string,
  by: Omit<Author, 'at'>,
  fault: unknown,
): Promise<void> => {
  log.error({ err: fault, attemptId }, 'the orders of a payment could not be made')
  const error = fault instanceof Error ? fault.name : 'fault'
  const at = now()
  await retryOnConflict(async () => {
    const loaded = await loadAttempt(eventStore, attemptId)
    if (loaded.attempt.status === 'none') return
    const events = paymentAttempt.decide({ kind: 'record-failure', error, now: at }, loaded.attempt)
    await eventStore.append(attemptAppend(loaded, events, { ...by, at }))
  }).catch((err: unknown) => log.error({ err, attemptId }, 'nor could that be recorded'))
}
