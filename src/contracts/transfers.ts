import * as z from 'zod/mini'
import { columnOrNone, leftOutOfFile, leftOutRows, mappedColumn } from './csv'
import {
  calendarDay,
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
import { payBy, payBys } from './ordering'

const pendingGroup = z.object({
  parentId: z.number(),
  parentUsername: z.string(),
  parentName: z.string(),
  parentPhone: z.nullable(z.string()),
  totalAmount: z.number(),
  /** ISO instant from 60 minutes before the first meal lapses; null if later or never. */
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
      reference: z.string(),
      payBy,
    }),
  ),
})
export type PendingGroup = z.infer<typeof pendingGroup>

export const pendingSorts = ['waiting', 'parent', 'amount', 'orders'] as const
export type PendingSort = (typeof pendingSorts)[number]

/** By parent, 50 groups a page, longest waiting first. `text` matches parent, students, items and reference. */
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

/** How money comes without the card provider. */
export const transferMethods = payBys.filter((way) => way !== 'card')

const orderIds = z
  .array(z.string().check(z.maxLength(60)))
  .check(z.minLength(1, 'Please select orders to verify'), z.maxLength(1000))

/**
 * The office has seen the money, one transfer per family. `method` is how it came; absent, as the orders say. A `transactionId` pays once, on
 * statements too. Idempotency-Key expected.
 */
export const verifyPending = endpoint('PUT', '/api/payments/verify', {
  once: true,
  body: z.object({
    orderIds,
    method: z.optional(z.enum(transferMethods)),
    transactionId: z.nullish(z.string().check(z.trim(), z.maxLength(100))),
    note: z.nullish(z.string().check(z.trim(), z.maxLength(500))),
  }),
  reply: z.object({ message: z.string(), updated: z.number() }),
})

export const undoVerified = endpoint('POST', '/api/payments/verify/undo', {
  once: true,
  body: z.object({ orderIds }),
  reply: z.object({ message: z.string(), updated: z.number() }),
})

/**
 * Head by column; a second `Amount` is `Amount (2)`. `in` and `out`: a bank with two amount columns; `direction` says which way each row's
 * amount went, `type` what it was; `balance` is what was on the account after it.
 */
export const statementMapping = z
  .strictObject({
    at: mappedColumn,
    amount: mappedColumn,
    in: mappedColumn,
    out: mappedColumn,
    direction: columnOrNone,
    type: columnOrNone,
    payer: mappedColumn,
    phone: mappedColumn,
    text: mappedColumn,
    transactionId: mappedColumn,
    status: columnOrNone,
    balance: mappedColumn,
  })
  .check(
    z.refine(({ at }) => at !== undefined, 'Choose the column with the date'),
    z.refine(
      (mapping) => (mapping.amount === undefined) !== (mapping.in === undefined),
      'Choose the column with the amount, or with the money in',
    ),
  )
export type StatementMapping = z.infer<typeof statementMapping>
export type StatementColumn = keyof StatementMapping

/** `source` is airtel, mtn, bank or a name the school chose. */
export const statementForm = z.object({
  source: z.string().check(z.trim(), z.minLength(1, 'Choose where the statement is from'), z.maxLength(60)),
  mapping: z.optional(statementMapping),
})

/** Multipart `file`, `source`, `mapping`. 422 `mapping_needed` for an unknown layout; a sent one is kept. */
export const uploadStatement = endpoint('POST', '/api/payments/statements', {
  status: 201,
  reply: z.object({
    id: z.number(),
    source: z.string(),
    rows: z.number(),
    moneyIn: z.number(),
    /** What the payments in come to, in kwacha. */
    amountIn: z.number(),
    new: z.number(),
    known: z.number(),
    errors: z.array(z.object({ row: z.number(), message: z.string() })),
    ...leftOutOfFile,
    /** `balance`: the running balance shows direction and amount of the rows. */
    proof: z.nullable(z.literal('balance')),
  }),
})

/** Rows of an upload that do not count, by row, 50 a page. */
export const leftOutOfStatement = endpoint('GET', '/api/payments/statements/:id/left-out', {
  params: idParam,
  query: z.object({ page: z.optional(wholeNumber) }),
  reply: z.object({ data: leftOutRows, metadata: pageMetadata }),
})

const optionalText = (most: number) =>
  z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(most)))

/**
 * Makes a row that does not count an open payment. What the row does not say is in the body, amounts in kwacha: 422 with `fields` for what
 * neither says. 409 `row_counted` where it is a payment already.
 */
export const countIn = endpoint('POST', '/api/payments/statements/:id/count-in', {
  once: true,
  params: idParam,
  body: z.strictObject({
    row: z.int().check(z.positive()),
    amount: z.optional(z.number().check(z.gte(0.01), z.lte(20_000_000), z.multipleOf(0.01))),
    at: z.optional(z.union([z.iso.datetime({ offset: true }), calendarDay])),
    payer: optionalText(200),
    phone: optionalText(40),
    text: optionalText(500),
    transactionId: optionalText(100),
  }),
  reply: z.object({ message: z.string(), rowId: z.uuid() }),
})

/** `suggested` is open with a match. */
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
  uploadedBy: z.string(),
  /** Rows it added by state; `exact` and `likely` are parts of `suggested`. */
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

export const listStatements = endpoint('GET', '/api/payments/statements', {
  query: z.object({ page: z.optional(wholeNumber), limit: z.optional(numberUpTo(50)) }),
  reply: z.object({ data: z.array(statement), metadata: pageMetadata }),
})

const parent = z.object({ id: z.number(), username: z.string(), name: z.string() })

const match = z.object({
  orderIds: z.array(z.string()),
  references: z.array(z.string()),
  parent,
  parents: z.array(parent),
  /** The part that this row pays, in kwacha: less than the price where several rows pay together. */
  amount: z.number(),
  certainty,
  /** For example `LP-7K3QW9 is in the text and K45.00 is what is unpaid on it`. */
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
  named: z.nullable(
    z.object({
      references: z.array(z.string()),
      orderIds: z.array(z.string()),
      parents: z.array(parent),
      amount: z.number(),
    }),
  ),
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

const alikeRows = z.object({ text: z.string(), rowIds: z.array(z.uuid()), amount: z.number() })
export type AlikeRows = z.infer<typeof alikeRows>

/** By time, 50 a page; narrowed by state or certainty. `alike`: all open rows of a text, in kwacha, of the three texts that most have. */
export const statementRows = endpoint('GET', '/api/payments/statements/:id', {
  params: idParam,
  query: z.object({
    page: z.optional(wholeNumber),
    limit: z.optional(numberUpTo(100)),
    state: z.optional(statementState),
    certainty: z.optional(certainty),
  }),
  reply: z.object({
    statement,
    data: z.array(statementRow),
    alike: z.array(alikeRows),
    metadata: pageMetadata,
  }),
})

const rowId = z.uuid()
const skipped = z.array(z.object({ rowId, code: z.string(), message: z.string() }))
const choosableOrderIds = z.array(z.string().check(z.maxLength(60))).check(z.maxLength(1000))

/** Orders may belong to several families or have lapsed. A surplus goes to `surplusTo`. Others are skipped with a reason. */
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
  reply: z.object({ confirmed: z.number(), skipped }),
})

const oneRow = { once: true as const, params: z.object({ id: rowId }), reply: messageReply }

/** 409 `credit_spent`, `meal_eaten` or `refunded`. Idempotency-Key expected. */
export const undoStatementRow = endpoint('POST', '/api/payments/statements/rows/:id/undo', oneRow)

const manyRows = {
  once: true as const,
  body: z.object({ rowIds: z.array(rowId).check(z.minLength(1), z.maxLength(10_000)) }),
  reply: z.object({ ignored: z.number(), skipped }),
}

/** `ignored` counts the rows that are now so, or are open again; one that paid something is skipped with `row_confirmed`. */
export const ignoreStatementRows = endpoint('POST', '/api/payments/statements/rows/ignore', manyRows)
export const unignoreStatementRows = endpoint('POST', '/api/payments/statements/rows/unignore', manyRows)

/** Marks an open row as not ours, e.g. rent; 409 `row_confirmed` if it paid something. */
export const ignoreStatementRow = endpoint('POST', '/api/payments/statements/rows/:id/ignore', oneRow)

export const unignoreStatementRow = endpoint('POST', '/api/payments/statements/rows/:id/unignore', oneRow)
