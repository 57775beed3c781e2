import { z } from 'zod'
import { refundMethods } from '#contracts/refund-methods'
import { eventType, type EventOf } from '#kernel/event'
import { rowId } from '#kernel/id'

const about = {
  userId: rowId,
  /** One request; the credit that is paid out by it has this `payoutId`. */
  payoutId: z.uuid(),
  /** The administrator. */
  by: rowId,
  at: z.iso.datetime(),
}
const asked = z.strictObject({
  ...about,
  amount: z.int().positive(),
  method: z.enum(refundMethods),
  reference: z.string().nullable(),
})

/** An administrator wants to pay out more credit than one person may let go: another has to approve it. */
export const creditPayoutAsked = eventType('credit.payout-asked.v1', asked)
/** Another administrator has approved what was asked for. */
export const creditPayoutApproved = eventType('credit.payout-approved.v1', z.strictObject(about))
/** What was asked for is not to be paid out. */
export const creditPayoutWithdrawn = eventType('credit.payout-withdrawn.v1', z.strictObject(about))

export const payoutApprovalTypes = [creditPayoutAsked, creditPayoutApproved, creditPayoutWithdrawn] as const
export type PayoutApprovalEvent = EventOf<(typeof payoutApprovalTypes)[number]>

const approvalTypes: ReadonlySet<string> = new Set(payoutApprovalTypes.map(({ type }) => type))
export const isAboutApproval = (event: { type: string }): event is PayoutApprovalEvent =>
  approvalTypes.has(event.type)

type Asked = z.infer<typeof asked>

/** What was asked for: it waits, or whoever ended the wait, and how. */
export type PayoutAsk = Asked & { state: 'waiting' | 'approved' | 'withdrawn'; judgedBy: number | null }

export const evolveAsks = (
  asks: ReadonlyMap<string, PayoutAsk>,
  { type, data }: PayoutApprovalEvent,
): ReadonlyMap<string, PayoutAsk> => {
  const { payoutId } = data
  if (type === creditPayoutAsked.type)
    return new Map(asks).set(payoutId, { ...data, state: 'waiting', judgedBy: null })
  const ask = asks.get(payoutId)
  if (!ask) return asks
  const state = type === creditPayoutApproved.type ? 'approved' : 'withdrawn'
  return new Map(asks).set(payoutId, { ...ask, state, judgedBy: data.by })
}
