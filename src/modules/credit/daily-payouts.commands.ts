import { schoolMoment } from '#kernel/school-time'
import { advanced, loadStream, type StreamChange } from '#platform/event-store/command-handler'
import type { CreditNeeds } from './needs'
import { payoutCounted, dailyPayoutTotal, dailyPayouts, type Leaving } from './daily-payouts'

type CountedOutflow = {
  /** True when the day's total exceeds one administrator's limit. */
  needsApproval: boolean
  /** Append before recording that money left: uncounted money never leaves. */
  change: StreamChange
}

/**
 * Counts money leaving a family's account per school day. The append conflicts with a concurrent count, so two requests cannot both slip
 * below the limit.
 */
export const countPayout =
  ({ eventStore, zone, refundApprovalAbove }: CreditNeeds) =>
  async ({ userId, kind, of, most, actId, amount }: Leaving, at: Date): Promise<CountedOutflow> => {
    const { date } = schoolMoment(at, zone)
    const loaded = await loadStream(eventStore, dailyPayouts, { userId, date })
    const isKnown = loaded.state.get(of)?.acts.has(actId) === true
    const events = isKnown
      ? []
      : [payoutCounted({ userId, date, kind, of, most, actId, amount, at: at.toISOString() })]
    const limit = await refundApprovalAbove()
    return {
      needsApproval:
        limit !== null && dailyPayoutTotal(advanced(dailyPayouts, loaded, events).state, kind) > limit,
      change: { loaded, events, idSeed: `outflow/${actId}` },
    }
  }
