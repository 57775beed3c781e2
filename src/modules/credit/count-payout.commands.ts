import type { Ngwee } from '#kernel/money'
import { schoolMoment } from '#kernel/school-time'
import type { Identity } from '#modules/identity/index'
import { loadStream, advanced, type StreamChange } from '#platform/event-store/command-handler'
import type { Ports } from '#platform/ports'
import { payoutCounted, dailyPayoutTotal, dailyPayouts, type Leaving } from './payouts'

export type CreditNeeds = Ports & {
  identity: Identity
  /** Limit of one administrator per family and day, in ngwee; null for none. */
  refundApprovalAbove: () => Promise<Ngwee | null>
}

export const leavingBy = ({
  userId,
  kind,
  payoutId,
  amount,
}: {
  userId: number
  kind: 'payout' | 'gift'
  payoutId: string
  amount: number
}) => ({ userId, kind, of: payoutId, most: amount, actId: payoutId, amount })

type CountedOutflow = {
  /** True when the day's total exceeds one administrator's limit. */
  needsApproval: boolean
  /** Append before recording that money left: uncounted money never leaves. */
  change: StreamChange
}

/** Counts money leaving a family's account per school day. Concurrent counts conflict, so two requests cannot both slip below the limit. */
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
