import * as z from 'zod/mini'
import { endpoint, rowNumber, wholeNumber, yesOrNo } from './endpoint'
import { refundMethods } from './refunds'

/** `total`: what families have, held credit included. `leaving`: of the child, left the register or in grade 12. */
const creditBalances = z.object({
  total: z.number(),
  data: z.array(
    z.object({
      parentId: z.number(),
      username: z.string(),
      name: z.nullable(z.string()),
      balance: z.number(),
      held: z.number(),
      children: z.array(z.object({ name: z.string(), grade: z.string(), leaving: z.boolean() })),
      lastOrderAt: z.nullable(z.string()),
    }),
  ),
})
export type CreditBalances = z.infer<typeof creditBalances>

export const balancesPerPage = 50

/** Families with credit, most first, 50 a page. `leaving`: only those of whom no child stays. */
export const listCreditBalances = endpoint('GET', '/api/credit/balances', {
  query: z.object({ page: z.optional(wholeNumber), leaving: z.optional(yesOrNo) }),
  reply: creditBalances,
})

export const creditBalancesCsv = endpoint('GET', '/api/credit/balances/csv', {
  query: z.object({ leaving: z.optional(yesOrNo) }),
  reply: z.unknown(),
})

/** Pays each its whole free balance, as one payout does; a payout that waits for approval is skipped. Idempotency-Key expected. */
export const payOutCredits = endpoint('POST', '/api/credit/payouts', {
  once: true,
  body: z.object({
    parentIds: z.array(rowNumber()).check(z.minLength(1), z.maxLength(200)),
    method: z.enum(refundMethods),
    reference: z.optional(z.string().check(z.trim(), z.maxLength(100))),
  }),
  reply: z.object({
    paid: z.number(),
    amount: z.number(),
    skipped: z.array(z.object({ parentId: z.number(), code: z.string(), message: z.string() })),
  }),
})
