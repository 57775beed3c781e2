import * as z from 'zod/mini'
import { proofs } from '#kernel/money'
import { endpoint, idParam } from './endpoint'

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

/** `amount` is negative where credit was spent. Amounts in kwacha. */
const creditEntry = z.object({
  at: z.string(),
  kind: z.enum(creditKinds),
  amount: z.number(),
  balanceAfter: z.number(),
  about: z.object({ orderId: z.optional(z.string()), reference: z.optional(z.string()) }),
  text: z.string(),
})

/** `balance` is spendable, `held` is reserved by open payments; entries newest first. */
export const credit = z.object({ balance: z.number(), held: z.number(), entries: z.array(creditEntry) })
export type Credit = z.infer<typeof credit>

export const getCredit = endpoint('GET', '/api/credit', { reply: credit })

export const getParentCredit = endpoint('GET', '/api/parents/:id/credit', { params: idParam, reply: credit })

export const creditAmount = z.number().check(z.gte(0.01), z.multipleOf(0.01), z.lte(1_000_000))

export const proof = z.enum(proofs)
export type Proof = z.infer<typeof proof>

/** The act waits for a second administrator; `id` names the request. */
export const waitsForApproval = z.object({
  id: z.string(),
  state: z.literal('approval'),
  proof: z.optional(proof),
})

/** A gift of the school; waits for approval above the daily limit per family. Idempotency-Key expected. */
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
