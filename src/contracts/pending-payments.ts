import * as z from 'zod/mini'
import { endpoint } from './endpoint'
import { grade } from './identity'
import { listQuery } from './list-query'
import { payBy } from './ordering'
import { searchText } from './sorting'

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
  body: z.object({ orderIds }),
  reply: z.object({ message: z.string(), updated: z.number() }),
})
