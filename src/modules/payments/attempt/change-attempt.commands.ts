import type { Ports } from '#platform/ports'
import { advanced, handleCommand, loadStream, type By } from '#platform/event-store/command-handler'
import type { Position } from '#platform/event-store/event-store'
import { attemptCredit } from './attempt-credit.commands'
import { paymentAttempt } from './fold'
import { isAwaited, isGivenUp, type StartedAttempt, type AttemptEvent } from './payment-attempt'
import type { PaymentsNeeds } from '../needs'
import { refusal } from '../refusals'

export type AttemptNow = { attempt: StartedAttempt; position: Position | null }

/** Throws `attempt_not_found`. */
export const loadAttempt = async ({ eventStore }: Ports, attemptId: string): Promise<AttemptNow> => {
  const { state, position } = await loadStream(eventStore, paymentAttempt, attemptId)
  if (state.status === 'none') throw refusal('attempt_not_found')
  return { attempt: state, position }
}

/** Decides and appends; giving up also releases days and credit in that append (after a crash they expire). Throws `attempt_not_found`. */
export const changeAttempt = (
  needs: PaymentsNeeds,
  attemptId: string,
  by: By,
  decide: (attempt: StartedAttempt, at: Date) => AttemptEvent[] | Promise<AttemptEvent[]>,
  idSeed?: string,
): Promise<AttemptNow> => {
  const { eventStore, ordering } = needs
  return handleCommand(needs, by, async (at) => {
    const loaded = await loadStream(eventStore, paymentAttempt, attemptId)
    const before = loaded.state
    if (before.status === 'none') throw refusal('attempt_not_found')
    const events = await decide(before, at)
    const attempt = advanced(paymentAttempt, loaded, events).state as StartedAttempt
    const heldDays = isAwaited(before) || before.status === 'draft'
    const released =
      heldDays && isGivenUp(attempt) ? (await ordering.mealsOf(attempt.checkout, at)).release(at) : []
    const credit = events.length > 0 ? (await attemptCredit(needs, attempt)).follow(attempt, at) : []
    return { changes: [{ loaded, events, idSeed }, ...released, ...credit], attempt }
  })
}
