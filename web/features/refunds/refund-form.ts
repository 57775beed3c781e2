import * as z from 'zod/mini'
import { refundMethods } from '#contracts/refunds'
import { kwacha } from '../../lib/format'

/** How money goes back, in words. */
export const methodLabels: Record<(typeof refundMethods)[number], string> = {
  manual: 'Manual',
  cash: 'Cash',
  mobile_money: 'Mobile money',
  bank: 'Bank transfer',
  card: 'Card',
}

/** A refund as it is typed: at most `owed` kwacha, empty reference and note left out. */
export const refundForm = (owed: number) =>
  z.object({
    amount: z.string().check(
      z.trim(),
      z.regex(/^\d{1,9}(\.\d{1,2})?$/, 'Amount must be a number with up to 2 decimal places'),
      z.refine((text) => Number(text) > 0, 'Amount must be above zero'),
      z.refine((text) => !(Number(text) > owed), `At most ${kwacha(owed)} is owed`),
    ),
    method: z.enum(refundMethods),
    reference: z.string().check(z.trim(), z.maxLength(100)),
    note: z.string().check(z.trim(), z.maxLength(500)),
  })

type Typed = z.output<ReturnType<typeof refundForm>>

export const refundBody = ({ amount, method, reference, note }: Typed) => ({
  amount: Number(amount),
  method,
  ...(reference ? { reference } : {}),
  ...(note ? { note } : {}),
})
