import * as z from 'zod/mini'
import {
  endpoint,
  listQuery,
  searchText,
  idParam,
  messageReply,
  pageMetadata,
  wholeNumber,
  numberUpTo,
} from './endpoint'
import { grade } from './identity'
import { payBy } from './ordering'

const pendingGroup = z.object({
  parentId: z.number(),
  parentUsername: z.string(),
  parentName: z.string(),
  /** Null where none is known. */
  parentPhone: z.nullable(z.string()),
  totalAmount: z.number(),
  /** When the first of its meals lapses, an ISO instant, from 60 minutes before; null: later, or never. */
  lapsesAt: z.nullable(z.string()),
  orders: z.array(
    z.object({
      id: z.string(),
      orderDate: z.string(),
      student: z.object({ name: z.string(), grade }),
      menuItem: z.object({ name: z.string() }),
      weekNumber: z.number(),
      dayOfWeek: z.number(),
      amount: z.number(),
      /** The short reference that the parent was told to pay with. */
      reference: z.string(),
      payBy,
    }),
  ),
})
export type PendingGroup = z.infer<typeof pendingGroup>

/** `waiting` is since when the first of a parent's orders is unpaid, `orders` how many there are. */
export const pendingSorts = ['waiting', 'parent', 'amount', 'orders'] as const
export type PendingSort = (typeof pendingSorts)[number]

/**
 * Alternative payments that nobody has verified yet, by parent, 50 groups a page, who waits longest first, unless asked
 * otherwise. `text` is found in the parent's username, a student's name, a menu item or the reference, without regard to
 * case; a parent is shown with all that is unpaid.
 */
export const pendingPayments = endpoint('GET', '/api/payments/pending', {
  query: z.object({ ...listQuery(pendingSorts), text: z.optional(searchText) }),
  reply: z.object({
    data: z.array(pendingGroup),
    pagination: z.object({
      page: z.number(),
      totalGroups: z.number(),
      totalPages: z.number(),
      hasNextPage: z.boolean(),
      hasPreviousPage: z.boolean(),
    }),
  }),
})

const orderIds = z
  .array(z.string().check(z.maxLength(60)))
  .check(z.minLength(1, 'Please select orders to verify'), z.maxLength(1000))

/**
 * The office has seen the money for these orders, one transfer of each family. A `transactionId` pays once, ever, on
 * statements too. Idempotency-Key expected.
 */
export const verifyPending = endpoint('PUT', '/api/payments/verify', {
  once: true,
  body: z.object({
    orderIds,
    transactionId: z.nullish(z.string().check(z.trim(), z.maxLength(100))),
    note: z.nullish(z.string().check(z.trim(), z.maxLength(500))),
  }),
  reply: z.object({ message: z.string(), updated: z.number() }),
})

/**
 * Takes back what was verified by hand, on the day it was: 409 `not_today`, `credit_spent`, `meal_eaten` or `refunded`.
 * Idempotency-Key expected.
 */
export const undoVerified = endpoint('POST', '/api/payments/verify/undo', {
  once: true,
  body: z.object({ orderIds }),
  reply: z.object({ message: z.string(), updated: z.number() }),
})

/**
 * What a column of a statement can mean; `in` and `out` are the columns of a bank that writes money in two, `direction`
 * says of each row whether its amount came in or went out.
 */
const statementColumns = [
  'at',
  'amount',
  'in',
  'out',
  'direction',
  'payer',
  'phone',
  'text',
  'transactionId',
  'status',
] as const
export type StatementColumn = (typeof statementColumns)[number]

/** Which head of the file stands for which column. A second `Amount` of a file is called `Amount (2)`, and so on. */
export const statementMapping = z
  .partialRecord(z.enum(statementColumns), z.string().check(z.trim(), z.minLength(1), z.maxLength(200)))
  .check(
    z.refine(({ at }) => at !== undefined, 'Say which column is the date'),
    z.refine(
      (mapping) => (mapping.amount === undefined) !== (mapping.in === undefined),
      'Say which column is the amount, or which is the money in',
    ),
  )
export type StatementMapping = z.infer<typeof statementMapping>

/** What the form of an upload holds beside the `file`; `source` is airtel, mtn, bank, or a name the school gives it. */
export const statementForm = z.object({
  source: z.string().check(z.trim(), z.minLength(1, 'Say where the statement is from'), z.maxLength(60)),
  mapping: z.optional(statementMapping),
})

/**
 * Multipart: `file`, `source` and, as JSON, `mapping`. A layout that is not known is 422 `mapping_needed` with
 * `heads: [text]` and `sample: [[text]]`, the first rows below them; once sent with a `mapping` it is kept for files with
 * these heads. So is one whose amounts do not say which way they went while a column does, and one whose transaction ids are
 * none: then `guess` is the mapping that is missing. `rows` are those below the head, `moneyIn` how many of them are money that came in, of these `new` were
 * added and `known` were there before. `row` of an error counts as a spreadsheet does.
 */
export const uploadStatement = endpoint('POST', '/api/payments/statements', {
  status: 201,
  reply: z.object({
    id: z.number(),
    source: z.string(),
    rows: z.number(),
    moneyIn: z.number(),
    new: z.number(),
    known: z.number(),
    errors: z.array(z.object({ row: z.number(), message: z.string() })),
  }),
})

/** `suggested` is open with a match, `open` without one. */
const statementStates = ['open', 'suggested', 'confirmed', 'ignored'] as const
export const statementState = z.enum(statementStates)

const certainties = ['exact', 'likely'] as const
const certainty = z.enum(certainties)
export type Certainty = z.infer<typeof certainty>

const statement = z.object({
  id: z.number(),
  source: z.string(),
  fileName: z.string(),
  uploadedAt: z.string(),
  /** The name of the administrator. */
  uploadedBy: z.string(),
  /** The rows that it added by their state; `exact` and `likely` are parts of `suggested`. */
  counts: z.object({
    open: z.number(),
    suggested: z.number(),
    exact: z.number(),
    likely: z.number(),
    confirmed: z.number(),
    ignored: z.number(),
  }),
})
export type Statement = z.infer<typeof statement>

/** The uploaded statements, the newest first, 20 a page. */
export const listStatements = endpoint('GET', '/api/payments/statements', {
  query: z.object({ page: z.optional(wholeNumber), limit: z.optional(numberUpTo(50)) }),
  reply: z.object({ data: z.array(statement), metadata: pageMetadata }),
})

const parent = z.object({ id: z.number(), username: z.string(), name: z.string() })

const match = z.object({
  orderIds: z.array(z.string()),
  references: z.array(z.string()),
  /** The family it pays for; of several the first. */
  parent,
  /** All families it pays for. */
  parents: z.array(parent),
  /** What of the orders' money this row pays, in kwacha: less than they cost where several rows pay them together. */
  amount: z.number(),
  certainty,
  /** In words for the office, e.g. `LP-7K3QW9 is in the text and K45.00 is what is unpaid on it`. */
  why: z.string(),
})
export type StatementMatch = z.infer<typeof match>

const statementRow = z.object({
  id: z.uuid(),
  at: z.string(),
  amount: z.number(),
  payer: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  text: z.nullable(z.string()),
  transactionId: z.nullable(z.string()),
  state: statementState,
  match: z.nullable(match),
  /** References that the text of an open row names, on which another amount is unpaid than it brings. */
  named: z.nullable(
    z.object({
      references: z.array(z.string()),
      orderIds: z.array(z.string()),
      parents: z.array(parent),
      amount: z.number(),
    }),
  ),
  /** What a confirmed row has paid: each family's meals, and what of the money became its credit. */
  paid: z.nullable(
    z.object({
      at: z.string(),
      families: z.array(
        z.object({ parent, orderIds: z.array(z.string()), amount: z.number(), surplus: z.number() }),
      ),
    }),
  ),
})
export type StatementRow = z.infer<typeof statementRow>

/** The rows that this statement added, in the order of their time, 50 a page; of one state or certainty, or all. */
export const statementRows = endpoint('GET', '/api/payments/statements/:id', {
  params: idParam,
  query: z.object({
    page: z.optional(wholeNumber),
    limit: z.optional(numberUpTo(100)),
    state: z.optional(statementState),
    certainty: z.optional(certainty),
  }),
  reply: z.object({ statement, data: z.array(statementRow), metadata: pageMetadata }),
})

const rowId = z.uuid()
const choosableOrderIds = z.array(z.string().check(z.maxLength(60))).check(z.maxLength(1000))

/**
 * Marks what rows pay as paid: the `rows` with the orders of each, or all that match exactly, or the likely ones that were
 * shown. `orderIds` may belong to several families, and to lapsed meals; a surplus of several families goes to `surplusTo`,
 * a parent of one of them. Without orders and with `surplusTo` the whole row becomes that family's credit. What cannot be
 * confirmed is skipped, each with its reason. Idempotency-Key expected.
 */
export const confirmStatement = endpoint('POST', '/api/payments/statements/:id/confirm', {
  once: true,
  params: idParam,
  body: z.union([
    z.strictObject({
      rows: z
        .array(
          z.object({
            rowId,
            orderIds: choosableOrderIds,
            surplusTo: z.optional(z.int().check(z.positive())),
          }),
        )
        .check(z.minLength(1), z.maxLength(1000)),
    }),
    z.strictObject({ allExact: z.literal(true) }),
    z.strictObject({ allLikely: z.array(rowId).check(z.minLength(1), z.maxLength(10_000)) }),
  ]),
  reply: z.object({
    confirmed: z.number(),
    skipped: z.array(z.object({ rowId, code: z.string(), message: z.string() })),
  }),
})

const rowParam = z.object({ id: rowId })

/** Takes a confirmed row's payment back: 409 `credit_spent`, `meal_eaten` or `refunded`. Idempotency-Key expected. */
export const undoStatementRow = endpoint('POST', '/api/payments/statements/rows/:id/undo', {
  once: true,
  params: rowParam,
  reply: messageReply,
})

/** An open row that pays nothing here, e.g. rent; 409 `row_confirmed` where it paid something. */
export const ignoreStatementRow = endpoint('POST', '/api/payments/statements/rows/:id/ignore', {
  once: true,
  params: rowParam,
  reply: messageReply,
})

export const unignoreStatementRow = endpoint('POST', '/api/payments/statements/rows/:id/unignore', {
  once: true,
  params: rowParam,
  reply: messageReply,
})
