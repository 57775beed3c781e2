import { Map as ImmutableMap } from 'immutable'
import { z } from 'zod'
import { eventReader, eventType, type EventOf } from '#kernel/event'
import { rowId } from '#kernel/id'
import type { Ngwee } from '#kernel/money'
import type { SchoolDate } from '#kernel/school-time'

/** Money that leaves the account of a family, or credit that it is given as a gift, is counted for its day, once per `actId`. */
export const payoutCounted = eventType(
  'refunds.outflow-counted.v1',
  z.strictObject({
    userId: rowId,
    date: z.iso.date(),
    // Events from before gifts were counted lack it.
    kind: z.enum(['payout', 'gift']).default('payout'),
    of: z.string().min(1),
    /** Maximum that can leave for it over all tries. */
    most: z.int().positive(),
    actId: z.uuid(),
    amount: z.int().positive(),
    at: z.iso.datetime(),
  }),
)
type PayoutCounted = EventOf<typeof payoutCounted>

/** Payouts and gifts have separate limits. */
export type PayoutKind = PayoutCounted['data']['kind']

export type DailyPayouts = ImmutableMap<
  string,
  { kind: PayoutKind; most: Ngwee; acts: ImmutableMap<string, Ngwee> }
>

const evolve = (outflow: DailyPayouts, { data }: PayoutCounted): DailyPayouts => {
  const acts = (outflow.get(data.of)?.acts ?? ImmutableMap<string, Ngwee>()).set(data.actId, data.amount)
  return outflow.set(data.of, { kind: data.kind, most: data.most, acts })
}

/** One stream per family and day: concurrent requests see each other. */
export const dailyPayouts = {
  streamOf: ({ userId, date }: { userId: number; date: SchoolDate }): string =>
    `familyOutflow-${userId}.${date}`,
  read: eventReader(payoutCounted),
  initial: ImmutableMap() as DailyPayouts,
  evolve,
}

/** In ngwee. Retries in another way count once. */
export const dailyPayoutTotal = (outflow: DailyPayouts, kind: PayoutKind): Ngwee =>
  [...outflow.values()]
    .filter((one) => one.kind === kind)
    .reduce(
      (total, { most, acts }) =>
        total +
        Math.min(
          most,
          [...acts.values()].reduce((sum, amount) => sum + amount, 0),
        ),
      0,
    )

/** `of` is the refund, payout or gift, of which at most `most` can leave. */
export type Leaving = {
  userId: number
  kind: PayoutKind
  of: string
  most: Ngwee
  actId: string
  amount: Ngwee
}
