import type { Ngwee } from '#kernel/money'
import { schoolMoment } from '#kernel/school-time'
import { advanced, loadStream, type StreamChange } from '#platform/event-store/command-handler'
import type { RefundsNeeds } from './needs'
import { outflowCounted, outflowTotal, outflows } from './outflow'

/** Money about to leave a family's account by one act; `of` is the refund or payout of which at most `most` can leave. */
export type Leaving = { userId: number; of: string; most: Ngwee; actId: string; amount: Ngwee }

export type CountedOutflow = {
  /** Whether more leaves the account on this day than one administrator may let go. */
  needsApproval: boolean
  /** Counts it; to be appended before the money is said to be gone, so that what was not counted never left. */
  change: StreamChange
}

/**
 * Counts what leaves a family's account on the day of the school's clock. Appending the change fails where another request
 * was counted meanwhile: two that together are above the limit cannot both slip below it.
 */
export const countOutflow =
  ({
    eventStore,
    zone,
    refundApprovalAbove,
  }: Pick<RefundsNeeds, 'eventStore' | 'zone' | 'refundApprovalAbove'>) =>
  async ({ userId, of, most, actId, amount }: Leaving, at: Date): Promise<CountedOutflow> => {
    const { date } = schoolMoment(at, zone)
    const loaded = await loadStream(eventStore, outflows, { userId, date })
    const isKnown = loaded.state.get(of)?.acts.has(actId) === true
    const events = isKnown
      ? []
      : [outflowCounted({ userId, date, of, most, actId, amount, at: at.toISOString() })]
    const limit = await refundApprovalAbove()
    return {
      needsApproval: limit !== null && outflowTotal(advanced(outflows, loaded, events).state) > limit,
      change: { loaded, events, idSeed: `outflow/${actId}` },
    }
  }
