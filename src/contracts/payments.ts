import * as z from 'zod/mini'
import { endpoint } from './endpoint'
import { cartLine, type PayWay, order, payBy } from './ordering'

const text = z.string().check(z.trim(), z.maxLength(200))

/**
 * Alternative payments, "payment bypass" (administrator.md section 3). `enabled`: they replace the card; `beside`: they stand
 * beside it, and the cart asks. Details are shown only while either is on. `unpaidUntil`: what is not paid for stays
 * ordered, or lapses at the cutoff of its day.
 */
export const paymentBypass = z.object({
  enabled: z.boolean(),
  beside: z._default(z.boolean(), false),
  unpaidUntil: z._default(z.enum(['never', 'cutoff']), 'never'),
  airtelMoney: z.object({ name: text, number: text }),
  mtnMoney: z.object({ name: text, number: text }),
  bankTransfer: z.object({
    bankName: text,
    accountName: text,
    accountNumber: text,
    branchName: text,
    swiftCode: text,
  }),
})
export type PaymentBypass = z.infer<typeof paymentBypass>

/** The number that is paid to in this way; empty where the school takes none. */
export const numberToPayTo = (settings: PaymentBypass, way: PayWay): string =>
  ({
    airtel: settings.airtelMoney.number,
    mtn: settings.mtnMoney.number,
    bank: settings.bankTransfer.accountNumber,
  })[way]

export const getPaymentBypass = endpoint('GET', '/api/settings/payment-bypass', { reply: paymentBypass })

/** Other details than those that stand there need the password of whoever changes them. */
export const savePaymentBypass = endpoint('POST', '/api/settings/payment-bypass', {
  body: z.object({ ...paymentBypass.shape, currentPassword: z.optional(z.string()) }),
  reply: paymentBypass,
})

const claim = z.nullish(z.string().check(z.maxLength(254)))
const cartLines = z.array(cartLine).check(z.minLength(1, 'No items found in cart'), z.maxLength(200))

/** The provider's token of an attempt, or the attempt's own id; only ever compared, never trusted. */
const transactionId = z.string().check(z.minLength(1), z.maxLength(100))
export const transactionParam = z.object({ transactionId })

/**
 * Starts a card payment (payments.md section 7). Everything but the lines is a claim; `amount` is the cart's total, of which
 * `useCredit` takes as much as helps from the family's credit. Where that is all, the answer is 409 `credit_covers` and the
 * cart goes to `POST /api/orders`. Idempotency-Key expected.
 */
export const createPayment = endpoint('POST', '/api/payments/create', {
  body: z.object({
    amount: z.number(),
    currency: claim,
    customerEmail: claim,
    customerPhone: claim,
    customerFirstName: claim,
    customerLastName: claim,
    redirectURL: z.nullish(z.string().check(z.maxLength(2000))),
    backURL: z.nullish(z.string().check(z.maxLength(2000))),
    paymentMethod: claim,
    cartItems: cartLines,
    useCredit: z.optional(z.boolean()),
  }),
  reply: z.object({
    Result: z.literal('000'),
    ResultExplanation: z.string(),
    TransToken: z.string(),
    companyRef: z.string(),
    /** The provider's page that the browser follows. */
    paymentUrl: z.string(),
  }),
})

export const attemptStatuses = ['initiated', 'verified', 'failed'] as const

/** What a parent sees of an attempt; the wire values are the spec's three. */
const parentAttempt = z.object({
  transactionId: z.nullable(z.string()),
  transactionRef: z.string(),
  paymentAmount: z.number(),
  transactionStatus: z.enum(attemptStatuses),
  errorDetails: z.nullable(z.string()),
  isRecovered: z.boolean(),
  /** The provider has said that the card was declined; nothing was charged. */
  declined: z.boolean(),
})

const attemptClaim = {
  transactionId,
  transactionStatus: z.nullish(z.string().check(z.maxLength(40))),
  errorDetails: z.nullish(z.string().check(z.maxLength(1000))),
}

/** The attempt exists since `create`; this finds it again. Items withdrawn meanwhile end it: 400 with their names. */
export const recordAttempt = endpoint('POST', '/api/payments/payment-attempts', {
  body: z.object({
    ...attemptClaim,
    transactionRef: claim,
    paymentAmount: z.nullish(z.number()),
    cartItems: z.nullish(z.array(z.unknown()).check(z.maxLength(200))),
    isRecovered: z.nullish(z.boolean()),
  }),
  reply: parentAttempt,
})

/** The browser's opinion: recorded as advice and a reason to look, never believed. */
export const updateAttempt = endpoint('POST', '/api/payments/payment-attempts/update', {
  body: z.object(attemptClaim),
  reply: parentAttempt,
})

/** `attention`: lines that were paid but could not become orders, in words for the parent. */
const verifyReply = z.union([
  z.object({
    success: z.literal(true),
    message: z.string(),
    attention: z.array(z.string()),
  }),
  z.object({
    success: z.literal(false),
    message: z.string(),
    Result: z.nullable(z.string()),
    ResultExplanation: z.nullable(z.string()),
    TransactionStatus: z.string(),
    /** The provider has said that the card was declined; nothing was charged. */
    declined: z.boolean(),
  }),
])
export type VerifyReply = z.infer<typeof verifyReply>

/** By the provider's token: the parent who owns the attempt, or an administrator with Live Orders. */
export const verifyPayment = endpoint('POST', '/api/payments/verify/:transactionId', {
  params: transactionParam,
  reply: verifyReply,
})

const { airtelMoney, mtnMoney, bankTransfer } = paymentBypass.shape

const openPayment = z.object({
  reference: z.string(),
  /** What is unpaid of it, in kwacha. */
  amount: z.number(),
  payBy,
  placedAt: z.string(),
  /** When its meals are cancelled because nobody has paid, an ISO instant; null: never. */
  lapsesAt: z.nullable(z.string()),
  orders: z.array(order),
  /** Where to pay it: the account of the chosen way, or each that there is. */
  instructions: z.object({
    message: z.string(),
    airtelMoney: z.optional(airtelMoney),
    mtnMoney: z.optional(mtnMoney),
    bankTransfer: z.optional(bankTransfer),
  }),
})
export type OpenPayment = z.infer<typeof openPayment>

/** What this user has ordered, has yet to pay outside of the card provider, and nobody has verified; the oldest first. */
export const openPayments = endpoint('GET', '/api/payments/open', {
  reply: z.object({ data: z.array(openPayment) }),
})
