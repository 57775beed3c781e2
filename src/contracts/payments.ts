import * as z from 'zod/mini'
import { endpoint } from './endpoint'

const text = z.string().check(z.trim(), z.maxLength(200))

/** Alternative payments, "payment bypass" (administrator.md section 3). Details are shown only when enabled. */
export const paymentBypass = z.object({
  enabled: z.boolean(),
  airtelMoney: z.object({ name: text, number: text }),
  mtnMoney: z.object({ name: text, number: text }),
  bankTransfer: z.object({
    bankName: text,
    accountName: text,
    accountNumber: text,
    branchName: text,
    swiftCode: text,
  }),
})
export type PaymentBypass = z.infer<typeof paymentBypass>

export const getPaymentBypass = endpoint({
  method: 'GET',
  path: '/api/settings/payment-bypass',
  reply: paymentBypass,
})
