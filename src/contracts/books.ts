import * as z from 'zod/mini'
import { endpoint, wholeNumber, calendarDay } from './endpoint'
import { payBy } from './ordering'

/** How money came: by card, by mobile money, by the bank, or in a way that nobody wrote down. */
export const bookMethods = ['card', 'airtel', 'mtn', 'bank', 'other'] as const
export type BookMethod = (typeof bookMethods)[number]

/** `payment`: by the day on which it was booked; `meal`: by the day of the meal, and what is for no meal as booked. */
const dayKinds = ['payment', 'meal'] as const
export type DayKind = (typeof dayKinds)[number]

/** Amounts in kwacha; of `payments` and `mealsFree` the number. `owed` and `unpaid` are at the end of the day. */
const figures = {
  methods: z.array(
    z.object({
      method: z.enum(bookMethods),
      payments: z.number(),
      amount: z.number(),
      refundsPaid: z.number(),
    }),
  ),
  creditGiven: z.number(),
  creditSpent: z.number(),
  paidOut: z.number(),
  mealsFree: z.number(),
  owed: z.number(),
  unpaid: z.number(),
}
const dayFigures = z.object({ date: z.string(), ...figures })
export type DayFigures = z.infer<typeof dayFigures>
const totalFigures = z.object(figures)
export type TotalFigures = z.infer<typeof totalFigures>

/** The most days of one question. */
const maxDays = 366

const dayMs = 86_400_000

/** Days of school time, both included, in order and not too many. */
const range = { from: calendarDay, to: calendarDay }
const isRange = z.refine<{ from: string; to: string }>(
  ({ from, to }) => from <= to && Date.parse(to) - Date.parse(from) < maxDays * dayMs,
  { message: `Please choose at most ${maxDays} days, the first one first`, path: ['to'] },
)

const dayEndQuery = z.object({ ...range, by: z._default(z.enum(dayKinds), 'payment') }).check(isRange)

/** Every day of the range; of its methods those of which there is something. */
export const dayEnd = endpoint('GET', '/api/books/day-end', {
  query: dayEndQuery,
  reply: z.object({ days: z.array(dayFigures), totals: totalFigures }),
})

/** The same as a CSV file. */
export const dayEndCsv = endpoint('GET', '/api/books/day-end/csv', {
  query: dayEndQuery,
  reply: z.unknown(),
})

/** A day that was closed: its figures then, who closed it, and a hash of all of that. */
const closing = z.object({
  date: z.string(),
  closedAt: z.string(),
  closedBy: z.string(),
  hash: z.string(),
  figures: totalFigures,
})
export type Closing = z.infer<typeof closing>

/** Closes a day that is over, once. */
export const closeDay = endpoint('POST', '/api/books/closings', {
  status: 201,
  body: z.object({ date: calendarDay }),
  reply: closing,
})

/** The latest days that were closed, newest first, at most 366. */
export const closings = endpoint('GET', '/api/books/closings', {
  reply: z.object({ data: z.array(closing) }),
})

export const closingOf = endpoint('GET', '/api/books/closings/:date', {
  params: z.object({ date: calendarDay }),
  reply: closing,
})

/**
 * One line of a statement of account. `amount` in kwacha, positive in the family's favour; `balance` after it.
 * `receiptNumber`: of the receipt or credit note, where there is one.
 */
const statementLine = z.object({
  at: z.string(),
  date: z.string(),
  kind: z.enum(['payment', 'refund', 'meal', 'credit', 'other']),
  text: z.string(),
  /** The day of the meal that it is about. */
  mealDate: z.nullable(z.string()),
  orderId: z.nullable(z.string()),
  receiptNumber: z.nullable(z.string()),
  amount: z.number(),
  balance: z.number(),
})
export type StatementLine = z.infer<typeof statementLine>

/**
 * `balance`: what the family has with the school, credit and what is owed back to it, less what is yet to be paid;
 * `credit`: what of it is credit that can be spent or is held by a checkout.
 */
const standing = z.object({ balance: z.number(), credit: z.number() })

/** A family's account; an administrator says whose by `parentId`. */
const statementQuery = z
  .object({
    ...range,
    parentId: z.optional(wholeNumber),
  })
  .check(isRange)

const statement = z.object({
  from: z.string(),
  to: z.string(),
  parent: z.object({ id: z.number(), username: z.string(), name: z.string() }),
  opening: standing,
  lines: z.array(statementLine),
  closing: standing,
})
export type StatementOfAccount = z.infer<typeof statement>

export const statementOfAccount = endpoint('GET', '/api/statement-of-account', {
  query: statementQuery,
  reply: statement,
})

export const statementOfAccountCsv = endpoint('GET', '/api/statement-of-account/csv', {
  query: statementQuery,
  reply: z.unknown(),
})

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
