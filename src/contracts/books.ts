import * as z from 'zod/mini'
import { endpoint, wholeNumber, calendarDay, dayRange, givenVersion, shownVersion } from './endpoint'
import { payBy } from './ordering'
import { paidFrom } from './payments'

/** `other`: nobody recorded the method. */
export const bookMethods = ['card', 'airtel', 'mtn', 'bank', 'cash', 'other'] as const
export type BookMethod = (typeof bookMethods)[number]

const dayKinds = ['payment', 'meal'] as const
export type DayKind = (typeof dayKinds)[number]

/**
 * Amounts in kwacha; `payments`, `mealsFree` and `late` (meals ordered after the cutoff) are
 * counts; `owed` and `unpaid` are as at the end of the day. `till`: cash taken in, and paid
 * out as refund or credit; `expected` is their difference.
 */
const figures = {
  methods: z.array(
    z.object({
      method: z.enum(bookMethods),
      payments: z.number(),
      amount: z.number(),
      refundsPaid: z.number(),
    }),
  ),
  till: z.object({ in: z.number(), out: z.number(), expected: z.number() }),
  creditGiven: z.number(),
  creditSpent: z.number(),
  paidOut: z.number(),
  mealsFree: z.number(),
  late: z.number(),
  owed: z.number(),
  unpaid: z.number(),
}
const dayFigures = z.object({ date: z.string(), ...figures })
export type DayFigures = z.infer<typeof dayFigures>
const totalFigures = z.object(figures)
export type TotalFigures = z.infer<typeof totalFigures>

const range = { from: calendarDay, to: calendarDay }
const isRange = dayRange(366)

const dayEndQuery = z.object({ ...range, by: z._default(z.enum(dayKinds), 'payment') }).check(isRange)

/** Every day of the range; methods without amounts are left out. */
export const dayEnd = endpoint('GET', '/api/books/day-end', {
  query: dayEndQuery,
  reply: z.object({ days: z.array(dayFigures), totals: totalFigures }),
})

export const dayEndCsv = endpoint('GET', '/api/books/day-end/csv', {
  query: dayEndQuery,
  reply: z.unknown(),
})

const countedMessage = 'Amount must be in kwacha, from 0 to 10,000,000, with at most two decimals'
const countedCash = z
  .number(countedMessage)
  .check(z.gte(0, countedMessage), z.lte(10_000_000, countedMessage), z.multipleOf(0.01, countedMessage))

const closing = z.object({
  date: z.string(),
  closedAt: z.string(),
  closedBy: z.string(),
  hash: z.string(),
  figures: totalFigures,
  /** What was counted in the till, and that less `till.expected`; null where nobody counted. */
  cashCounted: z.nullable(z.number()),
  cashDifference: z.nullable(z.number()),
})
export type Closing = z.infer<typeof closing>

export const closeDay = endpoint('POST', '/api/books/closings', {
  once: true,
  status: 201,
  body: z.object({ date: calendarDay, cashCounted: z.nullish(countedCash) }),
  reply: closing,
})

/** Newest first, at most 366. */
export const closings = endpoint('GET', '/api/books/closings', {
  reply: z.object({ data: z.array(closing) }),
})

export const closingOf = endpoint('GET', '/api/books/closings/:date', {
  params: z.object({ date: calendarDay }),
  reply: closing,
})

export const bookPrograms = ['sage', 'quickbooks', 'xero', 'csv'] as const
export type BookProgram = (typeof bookPrograms)[number]

export const bookAccounts = [
  ...bookMethods,
  'sales',
  'discounts',
  'refundsOwed',
  'familyCredit',
  'fees',
  'absences',
] as const
export type BookAccount = (typeof bookAccounts)[number]

export const accountWords: Record<BookAccount, string> = {
  card: 'Card',
  airtel: 'Airtel',
  mtn: 'MTN',
  bank: 'Bank',
  cash: 'Cash',
  other: 'Other payments',
  sales: 'Meals',
  discounts: 'Discounts',
  refundsOwed: 'Refunds owed',
  familyCredit: 'Family credit',
  fees: 'Fees',
  absences: 'Absences',
}

const bookCode = z.string().check(z.trim(), z.maxLength(60, 'At most 60 characters'))

/** The school's own account numbers, or names for QuickBooks; empty where none is set. */
export const accountSettings = z.object({
  program: z.enum(bookPrograms),
  codes: z.record(z.enum(bookAccounts), bookCode),
  taxCode: bookCode,
})
export type AccountSettings = z.infer<typeof accountSettings>

const shownAccounts = z.extend(accountSettings, shownVersion)

export const getAccounts = endpoint('GET', '/api/settings/accounts', { reply: shownAccounts })

export const saveAccounts = endpoint('POST', '/api/settings/accounts', {
  body: z.extend(accountSettings, givenVersion),
  reply: shownAccounts,
})

const month = z.string().check(z.regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'Please choose a month'))

/** Amounts in kwacha; `debit` or `credit` is 0. `code` is the school's own, that of `sales` where income has none. */
const journalEntry = z.object({
  number: z.string(),
  account: z.enum(bookAccounts),
  code: z.string(),
  debit: z.number(),
  credit: z.number(),
  text: z.string(),
})
export type JournalEntry = z.infer<typeof journalEntry>

const journalDay = z.object({ date: z.string(), closed: z.boolean(), entries: z.array(journalEntry) })
export type JournalDay = z.infer<typeof journalDay>

/** Days of the month with bookings, an entry a day and account. */
export const monthJournal = endpoint('GET', '/api/books/journal', {
  query: z.object({ month }),
  reply: z.object({
    month: z.string(),
    days: z.array(journalDay),
    totals: z.object({ debit: z.number(), credit: z.number() }),
  }),
})

export const xeroLines = 300

/** `part`: from 1, of a Xero file of more than 300 lines; 1 where it is absent. */
export const monthJournalCsv = endpoint('GET', '/api/books/journal/csv', {
  query: z.object({
    month,
    for: z.enum(bookPrograms),
    part: z._default(z.enum(['1', '2']), '1'),
  }),
  reply: z.unknown(),
})

/** `amount` and `balance` in kwacha, positive in the family's favour. `receiptNumber` names a receipt or credit note. */
const statementLine = z.object({
  at: z.string(),
  date: z.string(),
  kind: z.enum(['payment', 'refund', 'meal', 'credit', 'other']),
  text: z.string(),
  mealDate: z.nullable(z.string()),
  orderId: z.nullable(z.string()),
  receiptNumber: z.nullable(z.string()),
  amount: z.number(),
  balance: z.number(),
})
export type StatementLine = z.infer<typeof statementLine>

/** `balance`: credit plus refunds owed, less unpaid meals; `credit`: spendable or held by a checkout. */
const standing = z.object({ balance: z.number(), credit: z.number() })

/** Administrators name the family by `parentId`; parents read their own. */
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

/** Receipts and refunds (paying-and-books.md section 4). */
const booksSettings = z.object({
  tpin: z.string().check(z.trim(), z.maxLength(40)),
  address: z.string().check(z.trim(), z.maxLength(300)),
  /** VAT included in prices; null for none. */
  vatPercent: z.nullable(
    z
      .number(percentMessage)
      .check(z.gte(0.01, percentMessage), z.lte(100, percentMessage), z.multipleOf(0.01, percentMessage)),
  ),
  /** Refunds to one family in one day above this amount (kwacha) need a second administrator; null for never. */
  refundApprovalAbove: z.nullable(
    z
      .number(amountMessage)
      .check(z.gte(0, amountMessage), z.lte(1_000_000, amountMessage), z.multipleOf(0.01, amountMessage)),
  ),
  cardRefunds: z.boolean(),
})
export type BooksSettings = z.infer<typeof booksSettings>

export const getBooksSettings = endpoint('GET', '/api/settings/books', {
  reply: z.extend(booksSettings, shownVersion),
})

/** A limit that rises or goes away needs the caller's password. */
export const saveBooksSettings = endpoint('POST', '/api/settings/books', {
  body: z.extend(booksSettings, { ...givenVersion, currentPassword: z.optional(z.string()) }),
  reply: z.extend(booksSettings, shownVersion),
})

/** How paid money can go back, for the Refund Policy. */
export const getRefundWays = endpoint('GET', '/api/settings/refund-ways', {
  reply: z.object({ card: z.boolean() }),
})

/** A meal as it was when paid; on a credit note one that is no longer paid for. Amounts in kwacha. */
const receiptLine = z.object({
  mealDate: z.string(),
  student: z.string(),
  item: z.string(),
  category: z.nullable(z.string()),
  sideDish: z.nullable(z.string()),
  originalPrice: z.number(),
  price: z.number(),
  credit: z.number(),
})

/** A receipt, or a credit note for money that went back. Amounts in kwacha. */
const receipt = z.object({
  number: z.string(),
  kind: z.enum(['receipt', 'credit_note']),
  at: z.string(),
  date: z.string(),
  /** A credit note names its receipt, a receipt its credit notes. */
  corrects: z.nullable(z.string()),
  creditNotes: z.array(z.string()),
  school: z.object({ name: z.string(), tpin: z.string(), address: z.string() }),
  /** Null once the account is deleted. */
  payer: z.nullable(z.string()),
  method: payBy,
  paidFrom,
  references: z.array(z.string()),
  providerReference: z.nullable(z.string()),
  lines: z.array(receiptLine),
  discount: z.number(),
  creditUsed: z.number(),
  surplus: z.number(),
  missing: z.number(),
  /** Prices less credit, plus surplus, less what is missing. */
  amount: z.number(),
  /** VAT within the amount, rounded half up to a whole ngwee; null if no rate was set. */
  vat: z.nullable(z.object({ percent: z.number(), amount: z.number() })),
})
export type Receipt = z.infer<typeof receipt>

/** For the family, and for administrators with Refunds, Live Orders or Pending Payments; 404 for others. */
export const getReceipt = endpoint('GET', '/api/receipts/:number', {
  params: z.object({ number: z.string().check(z.maxLength(20)) }),
  reply: receipt,
})
