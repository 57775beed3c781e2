import { handleCommand, loadStream } from '#platform/event-store/command-handler'
import type { Sweep } from '#platform/module'
import { attemptCredit } from '../attempt/change-attempt.commands'
import { paymentAttempt } from '../attempt/fold'
import type { PaymentsNeeds } from '../needs'

/** Repairs crashes between a checkout's end and its credit. */
export const followHeldCredit = (needs: PaymentsNeeds): Sweep => {
  const { credit, eventStore } = needs
  const name = 'follow-held-credit'
  const follow = (id: string) =>
    handleCommand(needs, { actor: `job:${name}`, correlationId: id }, async (at) => {
      const { state } = await loadStream(eventStore, paymentAttempt, id)
      return { changes: (await attemptCredit(needs, state)).follow(state, at) }
    })
  return {
    name,
    run: async () => {
      const faults: unknown[] = []
      for (const id of await credit.checkoutsThatHold())
        await follow(id).catch((fault: unknown) => faults.push(fault))
      if (faults.length > 0)
        throw new AggregateError(faults, `Held credit of ${faults.length} checkouts could not be followed`)
    },
  }
}
