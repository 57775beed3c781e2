import * as z from 'zod/mini'
import { endpoint } from './endpoint'
import { order, payBy } from './ordering'
import { paymentBypass } from './payments'

const { airtelMoney, mtnMoney, bankTransfer } = paymentBypass.shape

const openPayment = z.object({
  reference: z.string(),
  /** What is unpaid of it, in kwacha. */
  amount: z.number(),
  payBy,
  placedAt: z.string(),
  /** When its meals are cancelled because nobody has paid, an ISO instant; null: never. */
  lapsesAt: z.nullable(z.string()),
  orders: z.array(order),
  /** Where to pay it: the account of the chosen way, or each that there is. */
  instructions: z.object({
    message: z.string(),
    airtelMoney: z.optional(airtelMoney),
    mtnMoney: z.optional(mtnMoney),
    bankTransfer: z.optional(bankTransfer),
  }),
})
export type OpenPayment = z.infer<typeof openPayment>

/** What this user has ordered, has yet to pay outside of the card provider, and nobody has verified; the oldest first. */
export const openPayments = endpoint('GET', '/api/payments/open', {
  reply: z.object({ data: z.array(openPayment) }),
})
