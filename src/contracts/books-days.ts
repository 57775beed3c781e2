import * as z from 'zod/mini'
import { endpoint, wholeNumber } from './endpoint'
import { calendarDay } from './sorting'

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
const mostDays = 366

const dayMs = 86_400_000

/** Days of school time, both included, in order and not too many. */
const range = { from: calendarDay, to: calendarDay }
const isRange = z.refine<{ from: string; to: string }>(
  ({ from, to }) => from <= to && Date.parse(to) - Date.parse(from) < mostDays * dayMs,
  { message: `Please choose at most ${mostDays} days, the first one first`, path: ['to'] },
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
