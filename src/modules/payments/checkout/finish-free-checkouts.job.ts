import type { Sweep } from '#platform/module'
import { completeCheckout } from './free-checkout.commands'
import { unfinishedFreeAttempts } from '../attempt/attempts.rows'
import type { PaymentsNeeds } from '../needs'

// The request may still be running.
const graceMs = 15_000

/** One failure does not delay the others. */
export const finishFreeCheckouts = (needs: PaymentsNeeds): Sweep => {
  const name = 'finish-free-checkouts'
  const complete = completeCheckout(needs)
  return {
    name,
    run: async () => {
      const due = await unfinishedFreeAttempts(needs.database.knex, new Date(needs.now().getTime() - graceMs))
      const faults: unknown[] = []
      for (const id of due) {
        try {
          await complete(id, { actor: `job:${name}`, correlationId: id })
        } catch (fault) {
          faults.push(fault)
        }
      }
      if (faults.length > 0) throw new AggregateError(faults, `${faults.length} checkouts could not be ended`)
    },
  }
}
