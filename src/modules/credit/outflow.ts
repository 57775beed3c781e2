import { Map as ImmutableMap } from 'immutable'
import { z } from 'zod'
import { eventReader, eventType, type EventOf } from '#kernel/event'
import { rowId } from '#kernel/id'
import type { Ngwee } from '#kernel/money'
import type { SchoolDate } from '#kernel/school-time'

/** Money that leaves the account of a family, or credit that it is given as a gift, is counted for its day, once per `actId`. */
export const outflowCounted = eventType(
  'refunds.outflow-counted.v1',
  z.strictObject({
    userId: rowId,
    date: z.iso.date(),
    // Events from before gifts were counted do not say it.
    kind: z.enum(['payout', 'gift']).default('payout'),
    /** The refund, the payout of credit or the gift that it belongs to. */
    of: z.string().min(1),
    /** The most that can leave for it, however often it is tried. */
    most: z.int().positive(),
    actId: z.uuid(),
    amount: z.int().positive(),
    at: z.iso.datetime(),
  }),
)
type OutflowCounted = EventOf<typeof outflowCounted>

/** Money that goes out, or a gift: each has a limit of its own. */
export type OutflowKind = OutflowCounted['data']['kind']

/** What leaves the account of one family on one day, or is given to it, by what it belongs to. */
export type Outflow = ImmutableMap<
  string,
  { kind: OutflowKind; most: Ngwee; acts: ImmutableMap<string, Ngwee> }
>

const evolve = (outflow: Outflow, { data }: OutflowCounted): Outflow => {
  const acts = (outflow.get(data.of)?.acts ?? ImmutableMap<string, Ngwee>()).set(data.actId, data.amount)
  return outflow.set(data.of, { kind: data.kind, most: data.most, acts })
}

/** The money that leaves each family's account, a stream a day: of two requests at once one counts the other. */
export const outflows = {
  streamOf: ({ userId, date }: { userId: number; date: SchoolDate }): string =>
    `familyOutflow-${userId}.${date}`,
  read: eventReader(outflowCounted),
  initial: ImmutableMap() as Outflow,
  evolve,
}

/** In ngwee. What failed and is tried again in another way counts once: no more can leave for it. */
export const outflowTotal = (outflow: Outflow, kind: OutflowKind): Ngwee =>
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

/** Money about to leave a family's account by one act, or to be given; `of` is the refund, payout or gift of which at most `most` can. */
export type Leaving = {
  userId: number
  kind: OutflowKind
  of: string
  most: Ngwee
  actId: string
  amount: Ngwee
}
