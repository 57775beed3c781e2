import { z } from 'zod'
import { eventReader, eventType, type EventOf } from '#kernel/event'
import { rowId } from '#kernel/id'
import type { Ngwee } from '#kernel/money'
import type { SchoolDate } from '#kernel/school-time'

/** Money that leaves the account of a family is counted for the day on which it leaves, once per `actId`. */
export const outflowCounted = eventType(
  'refunds.outflow-counted.v1',
  z.strictObject({
    userId: rowId,
    date: z.iso.date(),
    /** The refund or the payout of credit that it belongs to. */
    of: z.string().min(1),
    /** The most that can leave for it, however often it is tried. */
    most: z.int().positive(),
    actId: z.uuid(),
    amount: z.int().positive(),
    at: z.iso.datetime(),
  }),
)
type OutflowCounted = EventOf<typeof outflowCounted>

/** What leaves the account of one family on one day, by what it belongs to. */
export type Outflow = ReadonlyMap<string, { most: Ngwee; acts: ReadonlyMap<string, Ngwee> }>

const evolve = (outflow: Outflow, { data }: OutflowCounted): Outflow => {
  const acts = new Map(outflow.get(data.of)?.acts).set(data.actId, data.amount)
  return new Map(outflow).set(data.of, { most: data.most, acts })
}

/** The money that leaves each family's account, a stream a day: of two requests at once one counts the other. */
export const outflows = {
  streamOf: ({ userId, date }: { userId: number; date: SchoolDate }): string =>
    `familyOutflow-${userId}.${date}`,
  read: eventReader(outflowCounted),
  initial: new Map() as Outflow,
  evolve,
}

/** In ngwee. What failed and is tried again in another way counts once: no more can leave for it. */
export const outflowTotal = (outflow: Outflow): Ngwee =>
  [...outflow.values()].reduce(
    (total, { most, acts }) =>
      total +
      Math.min(
        most,
        [...acts.values()].reduce((sum, amount) => sum + amount, 0),
      ),
    0,
  )
