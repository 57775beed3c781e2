import * as z from 'zod/mini'
import { credit, creditAmount, proof, waitsForApproval } from './credit'
import { endpoint, idParam, wholeNumber, pageMetadata, listQuery, searchText } from './endpoint'
import { grade } from './identity'
import { orderStatus, payBy } from './ordering'
import { paidFrom } from './payments'

export const refundMethods = ['manual', 'cash', 'mobile_money', 'bank', 'card'] as const
export type RefundMethod = (typeof refundMethods)[number]

const approval = z.nullable(z.object({ by: z.string(), at: z.string() }))

const askedPayout = z.object({
  amount: z.number(),
  method: z.enum(refundMethods),
  reference: z.nullable(z.string()),
  note: z.nullable(z.string()),
  toCard: z.boolean(),
})

const approvalActs = { approve: z.boolean(), withdraw: z.boolean() }

const approvalWhy = z.optional(z.object({ approve: z.string() }))
export const approvalRefused = {
  own: 'You asked for this, so another administrator must approve it',
  tied: 'You and the person who asked are not independent: one of you set up the other account, or its password or rights. Another administrator must approve this',
} as const

/** A credit payout, or a gift (`note` is its reason, no method). */
const waitingPayout = z.object({
  id: z.string(),
  kind: z.enum(['payout', 'gift']),
  parent: z.object({ id: z.number(), username: z.string(), name: z.string() }),
  ...askedPayout.shape,
  method: z.nullable(z.enum(refundMethods)),
  /** Null for a gift. */
  proof: z.nullish(proof),
  approval: z.object({ by: z.string(), at: z.string() }),
  allowed: z.object(approvalActs),
  why: approvalWhy,
})
export type WaitingPayout = z.infer<typeof waitingPayout>

/** Oldest first, at most 500; `parentId` narrows to one family. */
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

/** Pays out credit up to the balance; waits for approval above one administrator's limit. Idempotency-Key expected. */
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

/** `failed`: nothing went back and every way is open again; `check`: a person must find out. `reason` explains. */
const cardRefund = z.object({
  state: z.enum(['requested', 'pending', 'done', 'failed', 'check']),
  reason: z.nullable(z.string()),
})
export type CardRefundState = z.infer<typeof cardRefund>

/** Money owed for a cancelled order or a paid line without an order. Amounts in kwacha. */
const refund = z.object({
  /** The order's id, or `<attempt id>.<line>` where there is no order. */
  id: z.string(),
  orderDate: z.string(),
  student: z.object({ name: z.string(), grade }),
  menuItem: z.object({ name: z.string() }),
  /** Still owed, or the total once all went back. */
  amount: z.number(),
  paidBack: z.optional(z.number()),
  /** `cancelled` while money is owed, `refunded` once all is paid back. */
  status: orderStatus,
  reason: z.string(),
  dueSince: z.string(),
  allowed: z.object({ complete: z.boolean() }),
})
export type Refund = z.infer<typeof refund>

const listedRefund = z.extend(refund, {
  /** A deleted family keeps only its number. */
  parent: z.nullable(
    z.object({ id: z.number(), username: z.string(), name: z.string(), phone: z.nullable(z.string()) }),
  ),
  payBy: z.nullable(payBy),
  paidFrom,
  reference: z.string(),
  proof: z.optional(proof),
  card: z.nullable(cardRefund),
  creditNote: z.nullable(z.string()),
  approval,
  asked: z.nullable(askedPayout),
  /** `check`: a person must record the outcome of a card refund. */
  allowed: z.object({ complete: z.boolean(), card: z.boolean(), check: z.boolean(), ...approvalActs }),
  why: approvalWhy,
})
export type ListedRefund = z.infer<typeof listedRefund>

export const refundSorts = ['due', 'date', 'student', 'item', 'amount', 'status'] as const
export type RefundSort = (typeof refundSorts)[number]

const refundStatuses = ['cancelled', 'refunded', 'all'] as const
export type RefundStatus = (typeof refundStatuses)[number]

/** 50 a page, owed ones, oldest first. `text` matches student, item and id. */
export const listRefunds = endpoint('GET', '/api/refunds', {
  query: z.object({
    ...listQuery(refundSorts),
    status: z.optional(z.enum(refundStatuses)),
    text: z.optional(searchText),
  }),
  reply: z.object({ data: z.array(listedRefund), metadata: pageMetadata }),
})

/** `owed` is still due since `dueSince`; `paidBack` went back as money; `doneAt` is when the last part did. Amounts in kwacha. */
export const ownRefunds = endpoint('GET', '/api/refunds/own', {
  reply: z.object({
    data: z.array(
      z.object({
        /** Null for a paid line that never became an order. */
        orderId: z.nullable(z.string()),
        mealDate: z.nullish(z.string()),
        student: z.optional(z.object({ name: z.string(), grade })),
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

/** Without a body the full amount by `manual`. Waits for approval above one administrator's limit. */
export const completeRefund = endpoint('POST', '/api/refunds/:id/complete', {
  once: true,
  params: z.object({ id: refundId }),
  body: z.nullish(
    z.object({
      amount: z.optional(z.number().check(z.gte(0.01), z.multipleOf(0.01))),
      method: z.optional(z.enum(refundMethods)),
      reference: z.optional(reference),
      note: z.optional(note),
    }),
  ),
  reply: z.union([refund, waitsForApproval]),
  accepted: waitsForApproval,
})

/** Idempotency-Key expected. Refunds that cannot complete or need approval are skipped with a reason. */
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

/** Turns all that is owed into credit. Idempotency-Key expected. */
export const refundToCredit = endpoint('POST', '/api/refunds/:id/credit', {
  once: true,
  params: z.object({ id: refundId }),
  reply: refund,
})

/** Sends all that is owed back to the card, if `cardRefunds` is on. The same key never asks the provider twice. */
export const refundToCard = endpoint('POST', '/api/refunds/:id/card', {
  once: true,
  params: z.object({ id: refundId }),
  status: 202,
  reply: z.union([cardRefund, waitsForApproval]),
})

/** Records what a person found out about a card refund in `check`. */
export const checkCardRefund = endpoint('POST', '/api/refunds/:id/card/check', {
  once: true,
  params: z.object({ id: refundId }),
  body: z.object({ outcome: z.enum(['done', 'failed']), note: z.optional(note) }),
  reply: cardRefund,
})

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
