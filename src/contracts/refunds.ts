import * as z from 'zod/mini'
import { approval, approvalActs, askedPayout, waitsForApproval } from './approvals'
import { endpoint, pageMetadata } from './endpoint'
import { grade } from './identity'
import { listQuery } from './list-query'
import { orderStatus, payBy } from './ordering'
import { refundMethods } from './refund-methods'
import { searchText } from './sorting'

/**
 * How far a refund to the card has come: asked for and not answered yet, taken by the card provider, done, failed (nothing
 * went back, and every way is open again), or for a person to find out. `reason` tells why, in words for people.
 */
const cardRefund = z.object({
  state: z.enum(['requested', 'pending', 'done', 'failed', 'check']),
  reason: z.nullable(z.string()),
})
export type CardRefundState = z.infer<typeof cardRefund>

/** Money owed back for a cancelled order, or for a paid line that never became one. Amounts in kwacha. */
const refund = z.object({
  /** The order's id, or `<attempt id>.<line>` where there is no order. */
  id: z.string(),
  orderDate: z.string(),
  student: z.object({ name: z.string(), grade }),
  menuItem: z.object({ name: z.string() }),
  amount: z.number(),
  /** Of the order; `cancelled` while the money is owed, `refunded` once it is paid back. */
  status: orderStatus,
  reason: z.string(),
  dueSince: z.string(),
  allowed: z.object({ complete: z.boolean() }),
})
export type Refund = z.infer<typeof refund>

/** A refund with whom it goes back to, and the payment that it was part of. */
const listedRefund = z.extend(refund, {
  /** Of a deleted family nothing is left but the number. */
  parent: z.nullable(
    z.object({ id: z.number(), username: z.string(), name: z.string(), phone: z.nullable(z.string()) }),
  ),
  /** How it was paid for; null where nothing was to be paid. */
  payBy: z.nullable(payBy),
  /** Our reference of the payment. */
  reference: z.string(),
  /** The latest request to pay it back to the card. */
  card: z.nullable(cardRefund),
  /** The number of the latest credit note about it; null while nothing went back as money. */
  creditNote: z.nullable(z.string()),
  /** Who asked to pay it back, where that waits for another administrator. */
  approval,
  asked: z.nullable(askedPayout),
  /** `card`: it may go back to the card; `check`: a person is to say what became of that. */
  allowed: z.object({ complete: z.boolean(), card: z.boolean(), check: z.boolean(), ...approvalActs }),
})
export type ListedRefund = z.infer<typeof listedRefund>

/** `due` is since when the money is owed, `date` when the meal was ordered. */
export const refundSorts = ['due', 'date', 'student', 'item', 'amount', 'status'] as const
export type RefundSort = (typeof refundSorts)[number]

/** What is owed (`cancelled`), what was paid back (`refunded`), or both. */
const refundStatuses = ['cancelled', 'refunded', 'all'] as const
export type RefundStatus = (typeof refundStatuses)[number]

/**
 * 50 a page, what is owed, oldest first, unless asked otherwise. `text` is found in the student's name, the menu item and
 * the id, without regard to case.
 */
export const listRefunds = endpoint('GET', '/api/refunds', {
  query: z.object({
    ...listQuery(refundSorts),
    status: z.optional(z.enum(refundStatuses)),
    text: z.optional(searchText),
  }),
  reply: z.object({ data: z.array(listedRefund), metadata: pageMetadata }),
})

/**
 * What goes back to this user for each of their cancelled orders: `owed` of it still has to, since `dueSince`; `doneAt` is when
 * the last of it went back, as credit or as money. Amounts in kwacha.
 */
export const ownRefunds = endpoint('GET', '/api/refunds/own', {
  reply: z.object({
    data: z.array(
      z.object({
        orderId: z.string(),
        amount: z.number(),
        owed: z.number(),
        dueSince: z.string(),
        doneAt: z.nullable(z.string()),
        asCredit: z.boolean(),
      }),
    ),
  }),
})

const refundId = z.string().check(z.maxLength(80))
const reference = z.string().check(z.trim(), z.maxLength(100))
const note = z.string().check(z.trim(), z.maxLength(500))

/** Without a body the full amount, method `manual`. Waits where it is more than one administrator may let go. */
export const completeRefund = endpoint('POST', '/api/refunds/:id/complete', {
  params: z.object({ id: refundId }),
  body: z.nullish(
    z.object({
      amount: z.optional(z.number().check(z.positive(), z.multipleOf(0.01))),
      method: z.optional(z.enum(refundMethods)),
      reference: z.optional(reference),
      note: z.optional(note),
    }),
  ),
  reply: z.union([refund, waitsForApproval]),
  accepted: waitsForApproval,
})

/** Idempotency-Key expected. Refunds that cannot be completed are skipped, each with its reason; one that waits with `approval`. */
export const completeRefunds = endpoint('POST', '/api/refunds/complete', {
  body: z.object({
    ids: z.array(refundId).check(z.minLength(1), z.maxLength(500)),
    method: z.enum(refundMethods),
    reference: z.nullish(reference),
    note: z.nullish(note),
  }),
  reply: z.object({
    completed: z.number(),
    amount: z.number(),
    skipped: z.array(z.object({ id: z.string(), code: z.string(), message: z.string() })),
  }),
})

/** All that is still owed becomes credit of the family; the refund then counts as paid back. Idempotency-Key expected. */
export const refundToCredit = endpoint('POST', '/api/refunds/:id/credit', {
  params: z.object({ id: refundId }),
  reply: refund,
})

/**
 * All that is still owed goes back to the card that paid, through the card provider, where the school has switched that on
 * (`cardRefunds`). Idempotency-Key expected: the same one never asks the provider twice.
 */
export const refundToCard = endpoint('POST', '/api/refunds/:id/card', {
  params: z.object({ id: refundId }),
  status: 202,
  reply: z.union([cardRefund, waitsForApproval]),
})

/** What a person found out about a refund to the card that is in `check`: the money went back, or nothing did. */
export const checkCardRefund = endpoint('POST', '/api/refunds/:id/card/check', {
  params: z.object({ id: refundId }),
  body: z.object({ outcome: z.enum(['done', 'failed']), note: z.optional(note) }),
  reply: cardRefund,
})

/** `askedAt` is when that was asked for which is approved, as the list told it: what was asked for since is refused. */
export const approveRefund = endpoint('POST', '/api/refunds/:id/approve', {
  params: z.object({ id: refundId }),
  body: z.nullish(z.object({ askedAt: z.optional(z.iso.datetime()) })),
  reply: refund,
})

export const withdrawRefund = endpoint('POST', '/api/refunds/:id/withdraw', {
  params: z.object({ id: refundId }),
  reply: refund,
})
