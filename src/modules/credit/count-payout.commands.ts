import type { DomainEvent } from '#kernel/event'
import type { Ngwee } from '#kernel/money'
import { schoolMoment } from '#kernel/school-time'
import type { Identity } from '#modules/identity/index'
import {
  loadStream,
  advanced,
  type StreamChange,
  type StreamKind,
} from '#platform/event-store/command-handler'
import type { Ports } from '#platform/ports'
import {
  administratorPayoutCounted,
  dailyPayouts,
  dailyPayoutsBy,
  dailyPayoutTotal,
  payoutCounted,
  type DailyPayouts,
  type Leaving,
} from './payouts'

export type CreditNeeds = Ports & {
  identity: Identity
  /** Limit of one administrator per day, in a family and over all, in ngwee; null for none. */
  refundApprovalAbove: () => Promise<Ngwee | null>
  /** Which of these transfers stand on a statement since. */
  provenTransfers: (ids: readonly string[]) => Promise<ReadonlySet<string>>
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
  ({ eventStore, zone, refundApprovalAbove }: CreditNeeds) =>
  async (all: readonly Leaving[], now: Date): Promise<CountedOutflow> => {
    const { userId, by: administrator, actId } = all[0]!
    const about = { date: schoolMoment(now, zone).date, at: now.toISOString() }
    const limit = await refundApprovalAbove()
    const counts = [
      await countIn(eventStore, all, {
        kind: dailyPayouts,
        id: { userId, date: about.date },
        eventOf: ({ by: _by, ...one }) => payoutCounted({ ...one, ...about }),
        idSeed: `outflow/${actId}`,
      }),
    ]
    // What two persons let go counts for neither.
    if (limit !== null && administrator !== undefined)
      counts.push(
        await countIn(eventStore, all, {
          kind: dailyPayoutsBy,
          id: { administrator, date: about.date },
          eventOf: ({ by: _by, userId: _userId, ...one }) =>
            administratorPayoutCounted({ ...one, ...about, administrator }),
          idSeed: `outflow-by/${actId}`,
        }),
      )
    return {
      needsApproval: limit !== null && counts.some(({ total }) => total > limit),
      changes: counts.map(({ change }) => change),
    }
  }

type Count<Id, Event> = {
  kind: StreamKind<Id, DailyPayouts, Event>
  id: Id
  eventOf: (one: Leaving) => Event
  idSeed: string
}

const countIn = async <Id, Event extends DomainEvent>(
  eventStore: CreditNeeds['eventStore'],
  all: readonly Leaving[],
  { kind, id, eventOf, idSeed }: Count<Id, Event>,
): Promise<{ total: Ngwee; change: StreamChange }> => {
  const loaded = await loadStream(eventStore, kind, id)
  const events = all.filter(({ of, actId }) => !loaded.state.get(of)?.acts.has(actId)).map(eventOf)
  const total = dailyPayoutTotal(advanced(kind, loaded, events).state, all[0]!.kind)
  return { total, change: { loaded, events, idSeed } }
}
