import * as z from 'zod/mini'
import { endpoint, idParam } from './endpoint'

/** Why the balance of a family's credit changed. */
const creditKinds = [
  'cancelled',
  'closed',
  'changed',
  'absent',
  'overpaid',
  'gift',
  'spent',
  'released',
  'takenBack',
  'paidOut',
] as const
export type CreditKind = (typeof creditKinds)[number]

/** One change of the balance; `amount` is negative where credit went. Amounts in kwacha. */
const creditEntry = z.object({
  at: z.string(),
  kind: z.enum(creditKinds),
  amount: z.number(),
  balanceAfter: z.number(),
  /** The order, or how the payment, refund or payout is called. */
  about: z.object({ orderId: z.optional(z.string()), reference: z.optional(z.string()) }),
  text: z.string(),
})

/** What a family may spend, what its open payments hold beside that, and how it came to the balance, newest first. */
export const credit = z.object({ balance: z.number(), held: z.number(), entries: z.array(creditEntry) })
export type Credit = z.infer<typeof credit>

export const getCredit = endpoint('GET', '/api/credit', { reply: credit })

export const getParentCredit = endpoint('GET', '/api/parents/:id/credit', { params: idParam, reply: credit })

/** What an administrator gives or pays out, in kwacha. */
export const creditAmount = z.number().check(z.positive(), z.multipleOf(0.01), z.lte(1_000_000))

/** Money that is to leave a family's account, or credit to be given to it, and waits until another administrator approves it; `id` names it. */
export const waitsForApproval = z.object({ id: z.string(), state: z.literal('approval') })

/** A gift of the school; waits where it is more than one administrator may give to one family on one day. Idempotency-Key expected. */
export const giveCredit = endpoint('POST', '/api/parents/:id/credit', {
  once: true,
  params: idParam,
  body: z.object({
    amount: creditAmount,
    reason: z.string().check(z.trim(), z.minLength(1), z.maxLength(200)),
  }),
  reply: z.union([credit, waitsForApproval]),
  accepted: waitsForApproval,
})
