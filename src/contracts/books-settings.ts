import * as z from 'zod/mini'
import { endpoint } from './endpoint'

const percentMessage = 'VAT must be a percentage above 0 and up to 100, with at most two decimals'
const amountMessage = 'Amount must be in kwacha, from 0 to 1,000,000, with at most two decimals'

/** What stands on receipts, and how money goes back (paying-and-books.md section 4). */
const booksSettings = z.object({
  /** The school's number with the revenue authority, and its address; empty until somebody has set them. */
  tpin: z.string().check(z.trim(), z.maxLength(40)),
  address: z.string().check(z.trim(), z.maxLength(300)),
  /** The VAT that prices include; null for none. */
  vatPercent: z.nullable(
    z
      .number(percentMessage)
      .check(z.gt(0, percentMessage), z.lte(100, percentMessage), z.multipleOf(0.01, percentMessage)),
  ),
  /** Above how much of a family's money in a day a second administrator approves, in kwacha; null for never. */
  refundApprovalAbove: z.nullable(
    z
      .number(amountMessage)
      .check(z.gte(0, amountMessage), z.lte(1_000_000, amountMessage), z.multipleOf(0.01, amountMessage)),
  ),
  /** Whether refunds may be sent back to the card. */
  cardRefunds: z.boolean(),
})
export type BooksSettings = z.infer<typeof booksSettings>

export const getBooksSettings = endpoint('GET', '/api/settings/books', { reply: booksSettings })

/** A rate of VAT counts for receipts from now on. */
export const saveBooksSettings = endpoint('POST', '/api/settings/books', {
  body: booksSettings,
  reply: booksSettings,
})
