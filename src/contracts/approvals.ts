import * as z from 'zod/mini'
import { credit, creditAmount } from './credit'
import { endpoint, idParam, wholeNumber } from './endpoint'
import { refundMethods } from './refund-methods'

/** Money that is to leave a family's account and waits until another administrator approves it; `id` names it. */
export const waitsForApproval = z.object({ id: z.string(), state: z.literal('approval') })

/** Who asked, by username, and when; null where nothing waits. */
export const approval = z.nullable(z.object({ by: z.string(), at: z.string() }))

/** What is to be paid back or out once it is approved; amounts in kwacha. */
export const askedPayout = z.object({
  amount: z.number(),
  method: z.enum(refundMethods),
  reference: z.nullable(z.string()),
  note: z.nullable(z.string()),
  /** The card provider is asked for it once it is approved. */
  toCard: z.boolean(),
})

/** What this administrator may do about what waits; whoever asked may not approve it. */
export const approvalActs = { approve: z.boolean(), withdraw: z.boolean() }

const waitingPayout = z.object({
  id: z.string(),
  parent: z.object({ id: z.number(), username: z.string(), name: z.string() }),
  ...askedPayout.shape,
  approval: z.object({ by: z.string(), at: z.string() }),
  allowed: z.object(approvalActs),
})
export type WaitingPayout = z.infer<typeof waitingPayout>

/** Payouts of credit that wait for approval, the oldest first, at most 500; with `parentId` those of one family. */
export const listPayouts = endpoint('GET', '/api/payouts', {
  query: z.object({ parentId: z.optional(wholeNumber) }),
  reply: z.object({ data: z.array(waitingPayout) }),
})

const payoutParam = z.object({ id: z.uuid() })
const payoutReply = z.object({ id: z.string(), state: z.enum(['paidOut', 'withdrawn']) })

export const approvePayout = endpoint('POST', '/api/payouts/:id/approve', {
  params: payoutParam,
  reply: payoutReply,
})

export const withdrawPayout = endpoint('POST', '/api/payouts/:id/withdraw', {
  params: payoutParam,
  reply: payoutReply,
})

/** Money for credit, at most the balance; waits where it is more than one administrator may let go. Idempotency-Key expected. */
export const payOutCredit = endpoint('POST', '/api/parents/:id/credit/payout', {
  params: idParam,
  body: z.object({
    amount: creditAmount,
    method: z.enum(refundMethods),
    reference: z.optional(z.string().check(z.trim(), z.maxLength(100))),
  }),
  reply: z.union([credit, waitsForApproval]),
  accepted: waitsForApproval,
})
