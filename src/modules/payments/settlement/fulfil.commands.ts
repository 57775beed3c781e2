import { advanced, handleCommand, loadStream, type By } from '#platform/event-store/command-handler'
import { WrongExpectedRevision } from '#platform/event-store/event-store'
import { changeAttempt, type AttemptNow } from '../attempt/change-attempt.commands'
import { paymentAttempt } from '../attempt/fold'
import { isFulfilling, unresolvedLines, type Standing } from '../attempt/payment-attempt'
import { decideSettlement } from '../attempt/settlement.decide'
import { type PaymentsNeeds } from '../needs'
import { refusal } from '../refusals'
import { blockedLines } from './blocked-lines.decide'

export type FulfilNeeds = Pick<
  PaymentsNeeds,
  'eventStore' | 'graceMinutes' | 'log' | 'now' | 'ordering' | 'withdrawnItems'
>

/**
 * Makes orders of what was paid for; lines that cannot be had are blocked, each with its reason (E14, E15). Safe to run
 * at any time and beside itself: the orders' events have ids of attempt and line. A fault is recorded (E16) and thrown.
 */
export const fulfilAttempt =
  (needs: FulfilNeeds) =>
  async (attemptId: string, by: By): Promise<AttemptNow> => {
    const { eventStore, now } = needs
    try {
      return await handleCommand({ eventStore, now }, by, async (at) => {
        const loaded = await loadStream(eventStore, paymentAttempt, attemptId)
        const before = loaded.state
        if (before.status === 'none') throw refusal('attempt_not_found')
        if (!isFulfilling(before)) return { changes: [{ loaded, events: [] }], attempt: before }
        const { changes, orders, blocked } = await mealsOrdered(needs, before, at)
        const events = decideSettlement({ kind: 'record-fulfilment', orders, blocked, now: at }, before)
        const idSeed = `${attemptId}/fulfilled/${loaded.revision}`
        return {
          changes: [...changes, { loaded, events, idSeed }],
          attempt: advanced(paymentAttempt, loaded, events).state as Standing,
        }
      })
    } catch (fault) {
      if (!(fault instanceof WrongExpectedRevision)) await recordFailure(needs, attemptId, by, fault)
      throw fault
    }
  }

/** The orders of the unresolved lines that can be had, and why the others cannot. */
const mealsOrdered = async (needs: FulfilNeeds, attempt: Standing, at: Date) => {
  const { ordering, graceMinutes, withdrawnItems } = needs
  const { attemptId, userId } = attempt.checkout
  const lines = unresolvedLines(attempt)
  const [meals, unavailableReasons] = await Promise.all([
    ordering.mealsOf({ attemptId, userId, lines }),
    ordering.paidLineUnavailableReasons(userId, lines, at),
  ])
  const blocked = blockedLines(attempt, lines, {
    alreadyOrdered: indexesOf(meals.orders()),
    unavailableReasons,
    conflicts: indexesOf(meals.conflicts(at)),
    graceMinutes,
    withdrawnItems,
  })
  const isBlocked = indexesOf(blocked)
  const orderable = indexesOf(lines.filter(({ index }) => !isBlocked.has(index)))
  return { ...meals.order('confirmed', at, orderable), blocked }
}

const indexesOf = (lines: readonly { index: number }[]) => new Set(lines.map(({ index }) => index))

const recordFailure = async (
  needs: FulfilNeeds,
  attemptId: string,
  by: By,
  fault: unknown,
): Promise<void> => {
  const { log } = needs
  log.error({ err: fault, attemptId }, 'the orders of a payment could not be made')
  const error = fault instanceof Error ? fault.name : 'fault'
  await changeAttempt(needs, attemptId, by, (attempt, now) =>
    decideSettlement({ kind: 'record-failure', error, now }, attempt),
  ).catch((err: unknown) => log.error({ err, attemptId }, 'nor could that be recorded'))
}
