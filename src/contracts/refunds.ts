import * as z from 'zod/mini'
import { credit, creditAmount, waitsForApproval } from './credit'
import { endpoint, idParam, wholeNumber, pageMetadata, listQuery, searchText } from './endpoint'
import { grade } from './identity'
import { orderStatus, payBy } from './ordering'

/** How money is paid back to a family. */
export const refundMethods = ['manual', 'cash', 'mobile_money', 'bank', 'card'] as const
export type RefundMethod = (typeof refundMethods)[number]

/** Who asked, by username, and when; null where nothing waits. */
const approval = z.nullable(z.object({ by: z.string(), at: z.string() }))

/** What is to be paid back or out once it is approved; amounts in kwacha. */
const askedPayout = z.object({
  amount: z.number(),
  method: z.enum(refundMethods),
  reference: z.nullable(z.string()),
  note: z.nullable(z.string()),
  /** The card provider is asked for it once it is approved. */
  toCard: z.boolean(),
})

/** What this administrator may do about what waits. */
const approvalActs = { approve: z.boolean(), withdraw: z.boolean() }

/** Why this administrator may not approve what waits, in a sentence without its full stop. */
const approvalWhy = z.optional(z.object({ approve: z.string() }))
export const approvalRefused = {
  own: 'You asked for this: another administrator has to approve it',
  tied: 'You and whoever asked are not independent: one of you made the other account, or set its password or rights. Another administrator has to approve it',
} as const

/** A payout of credit, or a gift (`note` is its reason; no method). */
const waitingPayout = z.object({
  id: z.string(),
  kind: z.enum(['payout', 'gift']),
  parent: z.object({ id: z.number(), username: z.string(), name: z.string() }),
  ...askedPayout.shape,
  method: z.nullable(z.enum(refundMethods)),
  approval: z.object({ by: z.string(), at: z.string() }),
  allowed: z.object(approvalActs),
  why: approvalWhy,
})
export type WaitingPayout = z.infer<typeof waitingPayout>

/** Payouts of credit and gifts that wait for approval, the oldest first, at most 500; with `parentId` those of one family. */
export const listPayouts = endpoint('GET', '/api/payouts', {
  query: z.object({ parentId: z.optional(wholeNumber) }),
  reply: z.object({ data: z.array(waitingPayout) }),
})

const payoutParam = z.object({ id: z.uuid() })
const payoutReply = z.object({ id: z.string(), state: z.enum(['paidOut', 'given', 'withdrawn']) })

export const approvePayout = endpoint('POST', '/api/payouts/:id/approve', {
  once: true,
  params: payoutParam,
  reply: payoutReply,
})

export const withdrawPayout = endpoint('POST', '/api/payouts/:id/withdraw', {
  once: true,
  params: payoutParam,
  reply: payoutReply,
})

/** Money for credit, at most the balance; waits where it is more than one administrator may let go. Idempotency-Key expected. */
export const payOutCredit = endpoint('POST', '/api/parents/:id/credit/payout', {
  once: true,
  params: idParam,
  body: z.object({
    amount: creditAmount,
    method: z.enum(refundMethods),
    reference: z.optional(z.string().check(z.trim(), z.maxLength(100))),
  }),
  reply: z.union([credit, waitsForApproval]),
  accepted: waitsForApproval,
})

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
  /** What is still owed, or how much went back once all did. */
  amount: z.number(),
  /** What went back of it, where a part did and the rest is owed. */
  paidBack: z.optional(z.number()),
  /** Of the order; `cancelled` while any of the money is owed, `refunded` once all is paid back. */
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
  why: approvalWhy,
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
 * What goes back to this user for each of their cancelled orders: `owed` of it still has to, since `dueSince`, `paidBack` of it
 * went back as money where that was a part; `doneAt` is when the last of it went back, as credit or as money. Amounts in kwacha.
 */
export const ownRefunds = endpoint('GET', '/api/refunds/own', {
  reply: z.object({
    data: z.array(
      z.object({
        orderId: z.string(),
        amount: z.number(),
        owed: z.number(),
        paidBack: z.optional(z.number()),
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
  once: true,
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
  once: true,
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
  once: true,
  params: z.object({ id: refundId }),
  reply: refund,
})

/**
 * All that is still owed goes back to the card that paid, through the card provider, where the school has switched that on
 * (`cardRefunds`). Idempotency-Key expected: the same one never asks the provider twice.
 */
export const refundToCard = endpoint('POST', '/api/refunds/:id/card', {
  once: true,
  params: z.object({ id: refundId }),
  status: 202,
  reply: z.union([cardRefund, waitsForApproval]),
})

/** What a person found out about a refund to the card that is in `check`: the money went back, or nothing did. */
export const checkCardRefund = endpoint('POST', '/api/refunds/:id/card/check', {
  once: true,
  params: z.object({ id: refundId }),
  body: z.object({ outcome: z.enum(['done', 'failed']), note: z.optional(note) }),
  reply: cardRefund,
})

/** `askedAt` is when that was asked for which is approved, as the list told it: what was asked for since is refused. */
export const approveRefund = endpoint('POST', '/api/refunds/:id/approve', {
  once: true,
  params: z.object({ id: refundId }),
  body: z.nullish(z.object({ askedAt: z.optional(z.iso.datetime()) })),
  reply: refund,
})

export const withdrawRefund = endpoint('POST', '/api/refunds/:id/withdraw', {
  once: true,
  params: z.object({ id: refundId }),
  reply: refund,
})
