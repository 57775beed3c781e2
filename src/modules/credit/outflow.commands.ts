import { schoolMoment } from '#kernel/school-time'
import { advanced, loadStream, type StreamChange } from '#platform/event-store/command-handler'
import type { CreditNeeds } from './needs'
import { outflowCounted, outflowTotal, outflows, type Leaving } from './outflow'

type CountedOutflow = {
  /** Whether more leaves the account on this day, or is given to it, than one administrator may let go. */
  needsApproval: boolean
  /** Counts it; to be appended before the money is said to be gone, so that what was not counted never left. */
  change: StreamChange
}

/**
 * Counts what leaves a family's account on the day of the school's clock. Appending the change fails where another request
 * was counted meanwhile: two that together are above the limit cannot both slip below it.
 */
export const countOutflow =
  ({ eventStore, zone, refundApprovalAbove }: CreditNeeds) =>
  async ({ userId, kind, of, most, actId, amount }: Leaving, at: Date): Promise<CountedOutflow> => {
    const { date } = schoolMoment(at, zone)
    const loaded = await loadStream(eventStore, outflows, { userId, date })
    const isKnown = loaded.state.get(of)?.acts.has(actId) === true
    const events = isKnown
      ? []
      : [outflowCounted({ userId, date, kind, of, most, actId, amount, at: at.toISOString() })]
    const limit = await refundApprovalAbove()
    return {
      needsApproval: limit !== null && outflowTotal(advanced(outflows, loaded, events).state, kind) > limit,
      change: { loaded, events, idSeed: `outflow/${actId}` },
    }
  }
