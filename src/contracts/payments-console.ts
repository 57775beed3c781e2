import * as z from 'zod/mini'
import { endpoint, messageReply, listQuery, pageMetadata, searchText } from './endpoint'
import { grade } from './identity'
import { payBy } from './ordering'
import { paidFrom, transactionParam } from './payments'

/** payments.md section 6. */
export const liveStatuses = [
  'Payment Initiated',
  'Processing Started',
  'Orders created successfully',
  'Failed',
  'Payment Abandoned',
] as const
export const liveStatus = z.enum(liveStatuses)

const attemptItem = z.object({
  index: z.number(),
  studentId: z.number(),
  student: z.object({ name: z.string(), grade }),
  menuItem: z.object({ id: z.number(), name: z.string(), price: z.number() }),
  weekNumber: z.number(),
  dayOfWeek: z.number(),
  category: z.nullable(z.string()),
  sideDish: z.nullable(z.string()),
  comments: z.string(),
  originalPrice: z.number(),
  discountedPrice: z.number(),
  discountPercentage: z.number(),
  orderId: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  code: z.optional(z.string()),
})
export type AttemptItem = z.infer<typeof attemptItem>

/** A live order's status where families announced a payment and some meal of it is not paid. */
export const notPaidYet = 'Not paid yet'

/** What became of a payment by mobile money or bank: `cancelled` is all its meals before they were paid. `unpaid` in kwacha. */
const transfer = z.object({ state: z.enum(['unpaid', 'paid', 'cancelled']), unpaid: z.number() })

/** References of the payments that have paid for all meals of a failed one since; empty where they cost nothing. */
const paidWith = z.nullable(z.array(z.string()))

const liveOrder = z.object({
  id: z.string(),
  createdAt: z.string(),
  username: z.string(),
  parentName: z.string(),
  /** Null for cards, free orders and without orders. */
  transfer: z.nullable(transfer),
  paidWith,
  kind: z.enum(['card', 'free', 'alternative']),
  payBy: z.nullable(payBy),
  paidFrom,
  status: liveStatus,
  state: z.string(),
  isRecovered: z.boolean(),
  transactionId: z.nullable(z.string()),
  reference: z.string(),
  amount: z.number(),
  receivedAmount: z.nullable(z.number()),
  originalAmount: z.number(),
  cartItems: z.array(attemptItem),
  allowed: z.object({
    retry: z.boolean(),
    verify: z.boolean(),
    abandon: z.boolean(),
    accept: z.boolean(),
    waive: z.boolean(),
  }),
})
export type LiveOrder = z.infer<typeof liveOrder>

const filterText = z.optional(z.string().check(z.maxLength(100)))

export const liveSorts = ['time', 'parent', 'student', 'items', 'amount', 'status', 'transactionId'] as const
export type LiveSort = (typeof liveSorts)[number]

/** 50 a page, newest first; DESIGN section 7 says how each filter compares. `status` may be `Not paid yet`. */
export const liveOrders = endpoint('GET', '/api/payments/live-orders', {
  query: z.object({
    ...listQuery(liveSorts),
    status: filterText,
    time: filterText,
    parent: filterText,
    student: filterText,
    items: filterText,
    amount: filterText,
    transactionId: filterText,
    week: filterText,
    day: filterText,
  }),
  reply: z.object({
    data: z.array(liveOrder),
    pagination: z.object({
      page: z.number(),
      totalOrders: z.number(),
      totalPages: z.number(),
      hasPreviousPage: z.boolean(),
      hasNextPage: z.boolean(),
    }),
  }),
})

export const setAttemptStatus = endpoint('PUT', '/api/payments/payment-attempts/:transactionId/status', {
  once: true,
  params: transactionParam,
  body: z.object({ status: z.string().check(z.maxLength(60)) }),
  reply: messageReply,
})

const attemptIdParam = z.object({ id: z.string().check(z.maxLength(60)) })

export const recoveryStatuses = [
  'Processing started',
  'Recovery in progress',
  'Payment verification failed',
  'Invalid student IDs provided',
  'Cannot create orders for blocked days',
  'Failed to create orders during recovery',
  'Orders created successfully',
] as const
const recoveryStatus = z.enum(recoveryStatuses)

/** `success`: orders exist. Otherwise `message` gives the reason and the next step. */
const recoveryReply = z.object({ message: z.string(), success: z.boolean(), status: recoveryStatus })

export const amendedLine = z.object({
  index: z.optional(z.int().check(z.nonnegative())),
  menuItemId: z.int().check(z.positive()),
  studentId: z.int().check(z.positive()),
  weekNumber: z.int().check(z.gte(1), z.lte(6)),
  dayOfWeek: z.int().check(z.gte(1), z.lte(5)),
  category: z.nullish(z.string().check(z.maxLength(80))),
  sideDish: z.nullish(z.string().check(z.maxLength(80))),
  comments: z.nullish(z.string().check(z.maxLength(500))),
  acknowledged: z.optional(z.boolean()),
})
export type AmendedLine = z.input<typeof amendedLine>

/** Retries making orders of paid lines, as they are or amended. Names, prices and payment fields of the body are ignored. */
export const retryAttempt = endpoint('POST', '/api/payments/orders/:id/retry', {
  once: true,
  params: attemptIdParam,
  body: z.nullish(
    z.object({
      cartItems: z.optional(z.array(amendedLine).check(z.maxLength(200))),
    }),
  ),
  reply: recoveryReply,
})

const reasoned = z.object({
  reason: z.string().check(z.trim(), z.minLength(3, 'Please give a reason'), z.maxLength(500)),
})

/** A person accepts a mismatched payment (E19); its orders are made. */
export const acceptMismatch = endpoint('POST', '/api/payments/orders/:id/acceptance', {
  once: true,
  params: attemptIdParam,
  body: reasoned,
  reply: recoveryReply,
})

/** A person gives up the unresolved lines (E20); they are owed back. */
export const waiveRemainder = endpoint('POST', '/api/payments/orders/:id/waiver', {
  once: true,
  params: attemptIdParam,
  body: reasoned,
  reply: messageReply,
})

const failedOrder = z.object({
  id: z.string(),
  orderDate: z.string(),
  customer: z.string(),
  parentName: z.string(),
  student: z.object({ name: z.string(), grade: z.string() }),
  paidWith,
  amount: z.number(),
  receivedAmount: z.nullable(z.number()),
  status: recoveryStatus,
  error: z.nullable(z.string()),
  code: z.optional(z.string()),
  codes: z.optional(z.array(z.string())),
  paymentRef: z.string(),
  cartItems: z.array(attemptItem),
  /** Children who may take an unresolved line; absent when unknown. */
  students: z.optional(z.array(z.object({ id: z.number(), name: z.string(), grade }))),
  /** `amend`: a retry may change unresolved lines. */
  allowed: z.object({ retry: z.boolean(), amend: z.boolean(), accept: z.boolean(), waive: z.boolean() }),
})
export type FailedOrder = z.infer<typeof failedOrder>

export const failedOrders = endpoint('GET', '/api/payments/failed-orders', {
  query: z.object({ status: filterText }),
  reply: z.array(failedOrder),
})

export const historyEntry = z.object({
  at: z.string(),
  schoolTime: z.string(),
  who: z.string(),
  what: z.string(),
  amount: z.nullable(z.number()),
  details: z.record(z.string(), z.string()),
})
export type HistoryEntry = z.infer<typeof historyEntry>

const historyReply = z.object({ data: z.array(historyEntry) })

export const attemptHistory = endpoint('GET', '/api/payments/attempts/:id/history', {
  params: attemptIdParam,
  reply: historyReply,
})

export const orderHistory = endpoint('GET', '/api/orders/:id/history', {
  params: attemptIdParam,
  reply: historyReply,
})

export const recoverySorts = ['date', 'customer', 'amount', 'status', 'reference'] as const
export type RecoverySort = (typeof recoverySorts)[number]

/** Status of those that only a person gets on with. */
export const needsDecision = 'waiting'

/** Status of those that failed and whose meals were all paid since. */
export const paidMeanwhile = 'paid since'

/** 50 a page, newest first; those paid since only by that status. `text` matches username, students, reference and transaction id. */
export const listFailedOrders = endpoint('GET', '/api/payments/failed-orders/list', {
  query: z.object({
    ...listQuery(recoverySorts),
    status: z.optional(z.enum([...recoveryStatuses, needsDecision, paidMeanwhile])),
    text: z.optional(searchText),
  }),
  reply: z.object({ data: z.array(failedOrder), metadata: pageMetadata }),
})
