import type { Ngwee } from '#kernel/money'
import { schoolMoment, type SchoolDate } from '#kernel/school-time'
import type { Identity } from '#modules/identity/index'
import { loadStream, advanced, type StreamChange } from '#platform/event-store/command-handler'
import type { Ports } from '#platform/ports'
import {
  administratorPayoutCounted,
  dailyPayouts,
  dailyPayoutsBy,
  dailyPayoutTotal,
  payoutCounted,
  type Leaving,
} from './payouts'

export type CreditNeeds = Ports & {
  identity: Identity
  /** Limit of one administrator per day, in a family and over all, in ngwee; null for none. */
  refundApprovalAbove: () => Promise<Ngwee | null>
}

export const leavingBy = ({
  userId,
  kind,
  payoutId,
  amount,
  by,
}: {
  userId: number
  kind: 'payout' | 'gift'
  payoutId: string
  amount: number
  by?: number
}): Leaving => ({ userId, kind, of: payoutId, most: amount, actId: payoutId, amount, ...(by && { by }) })

type CountedOutflow = {
  /** True when the day's total of the family or of who acts exceeds one administrator's limit. */
  needsApproval: boolean
  /** Append before recording that money left: uncounted money never leaves. */
  changes: StreamChange[]
}

/** Counts money of one act by school day. Concurrent counts conflict, so two requests cannot both slip below the limit. */
export const countPayout =
  (needs: CreditNeeds) =>
  async (leaving: Leaving | readonly Leaving[], at: Date): Promise<CountedOutflow> => {
    const all = [leaving].flat() as unknown as All
    const { date } = schoolMoment(at, needs.zone)
    const limit = await needs.refundApprovalAbove()
    const family = await countedFor(needs, all, date, at)
    const own = limit === null ? null : await countedBy(needs, all, date, at)
    const totals = [family, ...(own ? [own] : [])].map(({ total }) => total)
    return {
      needsApproval: limit !== null && totals.some((total) => total > limit),
      changes: [family.change, ...(own ? [own.change] : [])],
    }
  }

type All = readonly [Leaving, ...Leaving[]]

const countedFor = async ({ eventStore }: CreditNeeds, all: All, date: SchoolDate, now: Date) => {
  const [{ userId, kind, actId: act }] = all
  const loaded = await loadStream(eventStore, dailyPayouts, { userId, date })
  const events = all
    .filter(({ of, actId }) => loaded.state.get(of)?.acts.has(actId) !== true)
    .map(({ by: _by, ...one }) => payoutCounted({ ...one, date, at: now.toISOString() }))
  const total = dailyPayoutTotal(advanced(dailyPayouts, loaded, events).state, kind)
  return { total, change: { loaded, events, idSeed: `outflow/${act}` } }
}

/** Null for what two persons let go. */
const countedBy = async ({ eventStore }: CreditNeeds, all: All, date: SchoolDate, now: Date) => {
  const [{ by: administrator, kind, actId: act }] = all
  if (administrator === undefined) return null
  const loaded = await loadStream(eventStore, dailyPayoutsBy, { administrator, date })
  const events = all
    .filter(({ of, actId }) => loaded.state.get(of)?.acts.has(actId) !== true)
    .map(({ by: _by, userId: _userId, ...one }) =>
      administratorPayoutCounted({ ...one, administrator, date, at: now.toISOString() }),
    )
  const total = dailyPayoutTotal(advanced(dailyPayoutsBy, loaded, events).state, kind)
  return { total, change: { loaded, events, idSeed: `outflow-by/${act}` } }
}
