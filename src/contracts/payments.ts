import * as z from 'zod/mini'
import { mobileNumber } from '#kernel/phone-number'
import { endpoint, givenVersion, shownVersion } from './endpoint'
import { cartLine, type PayWay, mobileNetworks, order, payBy } from './ordering'
import { paymentInstructions } from './payment-instructions'

const text = z.string().check(z.trim(), z.maxLength(200))

/**
 * `enabled` replaces the card, `beside` offers both (administrator.md section 3), `prompt` asks the payer's phone
 * (phone-money-and-counter.md section 1). `unpaidUntil`: unpaid meals lapse at cutoff, or not.
 */
export const paymentBypass = z.object({
  enabled: z.boolean(),
  beside: z._default(z.boolean(), false),
  prompt: z._default(z.boolean(), false),
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

export const numberToPayTo = (settings: PaymentBypass, way: PayWay): string =>
  ({
    airtel: settings.airtelMoney.number,
    mtn: settings.mtnMoney.number,
    bank: settings.bankTransfer.accountNumber,
  })[way]

export const getPaymentBypass = endpoint('GET', '/api/settings/payment-bypass', {
  reply: z.extend(paymentBypass, shownVersion),
})

/** Changing payment details and switching `prompt` on need the caller's password. */
export const savePaymentBypass = endpoint('POST', '/api/settings/payment-bypass', {
  body: z.object({ ...paymentBypass.shape, currentPassword: z.optional(z.string()), ...givenVersion }),
  reply: z.extend(paymentBypass, shownVersion),
})

const claim = z.nullish(z.string().check(z.maxLength(254)))
const cartLines = z.array(cartLine).check(z.minLength(1, 'No items found in cart'), z.maxLength(200))

/** The provider's token or the attempt's id; compared, never trusted. */
const transactionId = z.string().check(z.minLength(1), z.maxLength(100))
export const transactionParam = z.object({ transactionId })

const network = z.enum(mobileNetworks)

export const notMobile = 'Please enter a mobile number such as 0977 123 456'
export const isMobile = (written: string | null | undefined): boolean => mobileNumber(written ?? '') !== null

/** The phone that paid, masked; `own`: it is the account's. Null where none did or nobody tells which. */
export const paidFrom = z.nullable(z.object({ phone: z.string(), own: z.boolean() }))
export type PaidFrom = z.infer<typeof paidFrom>

/** A request to approve a payment on the payer's phone. `phone` is masked; `expiresAt` (ISO) ends the wait on the screen. */
const shownPrompt = z.object({
  phone: z.string(),
  network,
  instructions: z.nullable(z.string()),
  expiresAt: z.string(),
  /** From when another may be sent. */
  againAt: z.string(),
})
export type ShownPrompt = z.infer<typeof shownPrompt>

/**
 * The body is a claim (payments.md section 7); `amount` is before credit. 409 `credit_covers`: send `POST /api/orders` instead.
 * `airtel` and `mtn` send a prompt to `customerPhone`.
 */
export const createPayment = endpoint('POST', '/api/payments/create', {
  body: z
    .object({
      amount: z.number(),
      currency: claim,
      customerEmail: claim,
      customerPhone: claim,
      customerFirstName: claim,
      customerLastName: claim,
      redirectURL: z.nullish(z.string().check(z.maxLength(2000))),
      backURL: z.nullish(z.string().check(z.maxLength(2000))),
      paymentMethod: z.nullish(z.enum(['CC', ...mobileNetworks])),
      cartItems: cartLines,
      useCredit: z.optional(z.boolean()),
    })
    .check(
      z.refine(
        ({ paymentMethod, customerPhone }) =>
          paymentMethod == null || paymentMethod === 'CC' || isMobile(customerPhone),
        { error: notMobile, path: ['customerPhone'] },
      ),
    ),
  reply: z.object({
    Result: z.literal('000'),
    ResultExplanation: z.string(),
    TransToken: z.string(),
    companyRef: z.string(),
    paymentUrl: z.string(),
    prompt: z.nullable(shownPrompt),
  }),
})

export const attemptStatuses = ['initiated', 'verified', 'failed'] as const

const parentAttempt = z.object({
  transactionId: z.nullable(z.string()),
  transactionRef: z.string(),
  paymentAmount: z.number(),
  transactionStatus: z.enum(attemptStatuses),
  errorDetails: z.nullable(z.string()),
  isRecovered: z.boolean(),
  declined: z.boolean(),
  payBy: z.nullable(payBy),
  prompt: z.nullable(shownPrompt),
})

const attemptClaim = {
  transactionId,
  transactionStatus: z.nullish(z.string().check(z.maxLength(40))),
  errorDetails: z.nullish(z.string().check(z.maxLength(1000))),
}

/** Finds the attempt that `create` made. 400 with the names of items withdrawn since. */
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

/** The browser's opinion: it triggers a check and is never believed. */
export const updateAttempt = endpoint('POST', '/api/payments/payment-attempts/update', {
  body: z.object(attemptClaim),
  reply: parentAttempt,
})

/** `attention`: paid lines that could not become orders. */
const paid = z.object({
  success: z.literal(true),
  message: z.string(),
  attention: z.array(z.string()),
})
const notPaid = z.object({
  success: z.literal(false),
  message: z.string(),
  Result: z.nullable(z.string()),
  ResultExplanation: z.nullable(z.string()),
  TransactionStatus: z.string(),
  declined: z.boolean(),
})
const verifyReply = z.union([paid, notPaid])
export type VerifyReply = z.infer<typeof verifyReply>

/** By the provider's token; for its parent or an administrator with Live Orders. */
export const verifyPayment = endpoint('POST', '/api/payments/verify/:transactionId', {
  params: transactionParam,
  reply: verifyReply,
})

/** Sends the prompt again, to the same number and network unless told another one. Paid meanwhile: nothing is sent. */
export const promptAgain = endpoint('POST', '/api/payments/attempts/:id/prompt', {
  once: true,
  params: z.object({ id: transactionId }),
  body: z.optional(
    z.object({
      customerPhone: z.optional(z.string().check(z.maxLength(254), z.refine(isMobile, notMobile))),
      network: z.optional(network),
    }),
  ),
  reply: z.union([
    z.extend(paid, { prompt: z.null() }),
    z.extend(notPaid, { prompt: z.nullable(shownPrompt) }),
  ]),
})

const openPayment = z.object({
  reference: z.string(),
  amount: z.number(),
  payBy,
  placedAt: z.string(),
  /** When unpaid meals are cancelled (ISO instant); null for never. */
  lapsesAt: z.nullable(z.string()),
  orders: z.array(order),
  instructions: paymentInstructions,
})
export type OpenPayment = z.infer<typeof openPayment>

export const openPayments = endpoint('GET', '/api/payments/open', {
  reply: z.object({ data: z.array(openPayment) }),
})
