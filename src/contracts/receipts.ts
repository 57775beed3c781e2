import * as z from 'zod/mini'
import { endpoint } from './endpoint'
import { payBy } from './ordering'

/** A meal that was paid for, as it was when that happened; of a credit note one that is paid for no more. In kwacha. */
const receiptLine = z.object({
  /** The day of the meal, `YYYY-MM-DD`. */
  mealDate: z.string(),
  student: z.string(),
  item: z.string(),
  category: z.nullable(z.string()),
  sideDish: z.nullable(z.string()),
  originalPrice: z.number(),
  /** The price to pay, discount or not. */
  price: z.number(),
  /** What of the price family credit paid. */
  credit: z.number(),
})

/** A receipt of money that was received, or a credit note of money that went back. Amounts in kwacha. */
const receipt = z.object({
  number: z.string(),
  kind: z.enum(['receipt', 'credit_note']),
  /** When it was booked, an ISO instant. */
  at: z.string(),
  /** The calendar day of that in the school's zone, `YYYY-MM-DD`. */
  date: z.string(),
  /** Of a credit note the receipt that it corrects; of a receipt its credit notes. */
  corrects: z.nullable(z.string()),
  creditNotes: z.array(z.string()),
  school: z.object({ name: z.string(), tpin: z.string(), address: z.string() }),
  /** Null once the account is deleted. */
  payer: z.nullable(z.string()),
  method: payBy,
  /** Ours, of each checkout that was paid for. */
  references: z.array(z.string()),
  /** That of the card provider, of the transfer, or of the money that went back. */
  providerReference: z.nullable(z.string()),
  lines: z.array(receiptLine),
  /** What the meals cost less than without a discount. */
  discount: z.number(),
  /** What of their price family credit paid. */
  creditUsed: z.number(),
  /** What was received beyond the meals; of a transfer it became family credit. */
  surplus: z.number(),
  /** What was accepted as missing. */
  missing: z.number(),
  /** What was received or went back: the prices less credit, with the surplus, without what is missing. */
  amount: z.number(),
  /** What of the amount is VAT, where there was a rate when it was booked; rounded half up to a whole ngwee. */
  vat: z.nullable(z.object({ percent: z.number(), amount: z.number() })),
})
export type Receipt = z.infer<typeof receipt>

/** For its family and for administrators with Refunds, Live Orders or Pending Payments; for anybody else it is not there. */
export const getReceipt = endpoint('GET', '/api/receipts/:number', {
  params: z.object({ number: z.string().check(z.maxLength(20)) }),
  reply: receipt,
})
