import * as z from 'zod/mini'

const wallet = z.object({ name: z.string(), number: z.string() })

/** Where to pay to; what is not offered is absent. */
export const paymentInstructions = z.object({
  message: z.string(),
  airtelMoney: z.optional(wallet),
  mtnMoney: z.optional(wallet),
  bankTransfer: z.optional(
    z.object({
      bankName: z.string(),
      accountName: z.string(),
      accountNumber: z.string(),
      branchName: z.string(),
      swiftCode: z.string(),
    }),
  ),
})
