import { Map as ImmutableMap } from 'immutable'
import { z } from 'zod'
import { refundMethods } from '#contracts/refunds'
import { eventType, eventReader, type EventOf } from '#kernel/event'
import { rowId } from '#kernel/id'
import { proofs, type Ngwee } from '#kernel/money'
import type { SchoolDate } from '#kernel/school-time'

const about = {
  userId: rowId,
  payoutId: z.uuid(),
  by: rowId,
  at: z.iso.datetime(),
}
const amount = z.int().positive()
const payoutAsked = z.strictObject({
  ...about,
  amount,
  method: z.enum(refundMethods),
  reference: z.string().nullable(),
  proof: z.enum(proofs).optional(),
})
const giftAsked = z.strictObject({ ...about, amount, text: z.string().min(1) })
const judged = z.strictObject({ ...about, kind: z.enum(['payout', 'gift']) })

/** An administrator wants to pay out more credit than one person may let go: another has to approve it. */
export const creditPayoutAsked = eventType('credit.payout-asked.v1', payoutAsked)
/** An administrator wants to give more credit than one person may: another has to approve it. */
export const creditGiftAsked = eventType('credit.gift-asked.v1', giftAsked)
/** Another administrator has approved what was asked for. */
export const creditPayoutApproved = eventType('credit.payout-approved.v1', judged)
/** What was asked for is not to be paid out or given. */
export const creditPayoutWithdrawn = eventType('credit.payout-withdrawn.v1', judged)

export const payoutApprovalTypes = [
  creditPayoutAsked,
  creditGiftAsked,
  creditPayoutApproved,
  creditPayoutWithdrawn,
] as const
export type PayoutApprovalEvent = EventOf<(typeof payoutApprovalTypes)[number]>

const approvalTypes: ReadonlySet<string> = new Set(payoutApprovalTypes.map(({ type }) => type))
export const isAboutApproval = (event: { type: string }): event is PayoutApprovalEvent =>
  approvalTypes.has(event.type)

export type AskedPayout = z.infer<typeof payoutAsked>
export type AskedGift = z.infer<typeof giftAsked>

export type PayoutAsk = (({ kind: 'payout' } & AskedPayout) | ({ kind: 'gift' } & AskedGift)) & {
  state: 'waiting' | 'approved' | 'withdrawn'
  judgedBy: number | null
}

export const evolveAsks = (
  asks: ImmutableMap<string, PayoutAsk>,
  { type, data }: PayoutApprovalEvent,
): ImmutableMap<string, PayoutAsk> => {
  const { payoutId } = data
  const waiting = { state: 'waiting', judgedBy: null } as const
  if (type === creditPayoutAsked.type) return asks.set(payoutId, { kind: 'payout', ...data, ...waiting })
  if (type === creditGiftAsked.type) return asks.set(payoutId, { kind: 'gift', ...data, ...waiting })
  const ask = asks.get(payoutId)
  if (!ask) return asks
  const state = type === creditPayoutApproved.type ? 'approved' : 'withdrawn'
  return asks.set(payoutId, { ...ask, state, judgedBy: data.by })
}

const counted = {
  date: z.iso.date(),
  of: z.string().min(1),
  /** Maximum that can leave for it over all tries. */
  most: z.int().positive(),
  actId: z.uuid(),
  amount: z.int().positive(),
  at: z.iso.datetime(),
}

/** Money that leaves the account of a family, or credit that it is given as a gift, is counted for its day, once per `actId`. */
export const payoutCounted = eventType(
  'refunds.outflow-counted.v1',
  z.strictObject({
    ...counted,
    userId: rowId,
    // Events from before gifts were counted lack it.
    kind: z.enum(['payout', 'gift']).default('payout'),
  }),
)
/** The same by the administrator who let it go alone while a limit was set. */
export const administratorPayoutCounted = eventType(
  'refunds.administrator-outflow-counted.v1',
  z.strictObject({ ...counted, administrator: rowId, kind: z.enum(['payout', 'gift']) }),
)
type PayoutCounted = EventOf<typeof payoutCounted>
type Counted = Pick<PayoutCounted['data'], 'kind' | 'of' | 'most' | 'actId' | 'amount'>

/** Payouts and gifts have separate limits. */
type PayoutKind = PayoutCounted['data']['kind']

type Payout = { kind: PayoutKind; most: Ngwee; acts: ImmutableMap<string, Ngwee> }
export type DailyPayouts = ImmutableMap<string, Payout>

const evolve = (outflow: DailyPayouts, { data }: { data: Counted }): DailyPayouts => {
  const acts = (outflow.get(data.of)?.acts ?? ImmutableMap<string, Ngwee>()).set(data.actId, data.amount)
  return outflow.set(data.of, { kind: data.kind, most: data.most, acts })
}

const noPayouts = ImmutableMap<string, Payout>()

/** One stream per family and day: concurrent requests see each other. */
export const dailyPayouts = {
  streamOf: ({ userId, date }: { userId: number; date: SchoolDate }): string =>
    `familyOutflow-${userId}.${date}`,
  read: eventReader(payoutCounted),
  initial: noPayouts,
  evolve,
}

/** Over all families. */
export const dailyPayoutsBy = {
  streamOf: ({ administrator, date }: { administrator: number; date: SchoolDate }): string =>
    `administratorOutflow-${administrator}.${date}`,
  read: eventReader(administratorPayoutCounted),
  initial: noPayouts,
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

/** `of` is the refund, payout or gift, of which at most `most` can leave; `by`: who lets it go alone. */
export type Leaving = {
  userId: number
  kind: PayoutKind
  of: string
  most: Ngwee
  actId: string
  amount: Ngwee
  by?: number
}
