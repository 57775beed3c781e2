import { z } from 'zod'
import { refundMethods } from '#contracts/refunds'
import { eventType, type EventOf } from '#kernel/event'
import { rowId } from '#kernel/id'

const about = {
  refundId: z.string().min(1),
  /** Becomes the `payoutId` of the refund. */
  askId: z.uuid(),
  by: rowId,
  at: z.iso.datetime(),
}

const asked = z.strictObject({
  ...about,
  amount: z.int().positive(),
  method: z.enum(refundMethods),
  reference: z.string().nullable(),
  note: z.string().nullable(),
  toCard: z.boolean(),
})

/** An administrator wants to pay back more than one person may let go: another has to approve it. */
export const payoutAsked = eventType('refunds.payout-asked.v1', asked)
/** Another administrator has approved what was asked for. */
export const payoutApproved = eventType('refunds.payout-approved.v1', z.strictObject(about))
/** What was asked for is not to be paid back. */
export const payoutAskWithdrawn = eventType('refunds.payout-withdrawn.v1', z.strictObject(about))

export const approvalEventTypes = [payoutAsked, payoutApproved, payoutAskWithdrawn] as const
export type ApprovalEvent = EventOf<(typeof approvalEventTypes)[number]>
export type Ask = z.infer<typeof asked>

/** `waiting` for approval. A refund that becomes due again needs a new request. */
export type Asks = {
  waiting: Ask | null
  withdrawn: readonly string[]
  approved: { askId: string; by: number } | null
}

const maxRemembered = 50

export const noAsks: Asks = { waiting: null, withdrawn: [], approved: null }

export const evolveAsks = (asks: Asks, event: ApprovalEvent): Asks => {
  switch (event.type) {
    case payoutAsked.type:
      return { ...asks, waiting: event.data }
    case payoutApproved.type:
      return { ...asks, waiting: null, approved: { askId: event.data.askId, by: event.data.by } }
    case payoutAskWithdrawn.type:
      return {
        ...asks,
        waiting: null,
        withdrawn: [...asks.withdrawn.slice(-maxRemembered), event.data.askId],
      }
  }
}
