import { z } from 'zod'
import { checkoutWays, lineRefusals, mobileNetworks } from '#contracts/ordering'
import { eventType } from '#kernel/event'
import { orderId, rowId } from '#kernel/id'
import { mealLine } from '#kernel/meal-line'
import { ngwee, remedies } from '#kernel/money'

const at = z.iso.datetime()
const attemptId = z.uuid()
const index = z.int().nonnegative()
const words = z.string().max(1000)

/** `by`: the administrator. `received`: the money is there, its confirmation follows at once. `late`: why it was ordered after the cutoff. */
const office = z.strictObject({
  by: rowId,
  received: z.boolean(),
  note: words.nullable(),
  late: words.nullable(),
})

const checkout = z.strictObject({
  attemptId,
  kind: z.enum(['card', 'free', 'alternative']),
  userId: rowId,
  lines: z.array(mealLine).min(1),
  total: ngwee,
  companyRef: z.string().nullable(),
  /** With `card`: the network that is to be asked. */
  payBy: z.enum(checkoutWays).optional(),
  bodyHash: z.string(),
  /** Absent: the family ordered itself. */
  office: office.optional(),
  /** By the family's plan; its week. */
  plan: z.iso.date().optional(),
  at,
})
export type Checkout = z.infer<typeof checkout>

const refusedLines = z.array(z.strictObject({ index, code: z.enum(lineRefusals) })).min(1)
export type RefusedLine = z.infer<typeof refusedLines>[number]
const lineOrders = z.array(z.strictObject({ index, orderId })).min(1)
export type LineOrder = z.infer<typeof lineOrders>[number]
/** payments.md section 6. */
const blockReason = z.enum([
  'unknown_student',
  'foreign_student',
  'day_blocked',
  'day_past',
  'cutoff_passed',
  'cycle_missing',
  'cycle_inactive',
  'missing_item',
  'item_withdrawn',
  'duplicate_day',
  'sold_out',
  'price_above_paid',
  'credit_gone',
  'error',
])
export type BlockReason = z.infer<typeof blockReason>
const blockedLines = z.array(z.strictObject({ index, reason: blockReason })).min(1)
export type BlockedLine = z.infer<typeof blockedLines>[number]

/** A checkout has begun: its lines are priced and hold their days (E1). */
export const checkoutStarted = eventType('payments.checkout-started.v1', checkout)
/** Another checkout took one of the days first, so none of the lines becomes an order. */
export const checkoutRefused = eventType(
  'payments.checkout-refused.v1',
  z.strictObject({ attemptId, lines: refusedLines, at }),
)
/** A refused checkout holds no day any more. */
export const linesReleased = eventType('payments.lines-released.v1', z.strictObject({ attemptId, at }))

/**
 * The provider has issued a payment token (E2). `limitAt`: until when the customer may pay; `holdUntil`: until when
 * the days are kept for them.
 */
export const providerTokenIssued = eventType(
  'payments.provider-token-issued.v1',
  z.strictObject({
    attemptId,
    token: z.string(),
    ref: z.string().nullable(),
    limitAt: at,
    holdUntil: at,
    at,
  }),
)
/** The provider has refused to issue a payment token (E3). `why`: the kind of answer; `detail`: a code word. */
export const providerTokenRefused = eventType(
  'payments.provider-token-refused.v1',
  z.strictObject({ attemptId, why: z.string(), detail: words.nullable(), at }),
)

/** A prompt is about to be sent to the payer's phone. Whether it went out, only the provider knows. `requestId`: who repeats it gets no second one. */
export const promptAsked = eventType(
  'payments.prompt-asked.v1',
  z.strictObject({ attemptId, requestId: z.uuid(), network: z.enum(mobileNetworks), phone: z.string(), at }),
)
/** The provider has sent the prompt. `instructions`: what it tells the payer to do. */
export const promptSent = eventType(
  'payments.prompt-sent.v1',
  z.strictObject({ attemptId, instructions: words.nullable(), at }),
)
/** No prompt reaches the phone: the network is not offered, or the provider refused what was asked. `why`: its answer. */
export const promptRefused = eventType(
  'payments.prompt-refused.v1',
  z.strictObject({ attemptId, requestId: z.uuid(), network: z.enum(mobileNetworks), why: words, at }),
)
/** The family pays with the same token after all: days and credit are held again (E22). */
export const paymentReopened = eventType(
  'payments.payment-reopened.v1',
  z.strictObject({ attemptId, holdUntil: at, at }),
)
/** The family pays on the provider's page what a prompt was asked for before. */
export const cardPageChosen = eventType('payments.card-page-chosen.v1', z.strictObject({ attemptId, at }))

const signalSource = z.enum(['return', 'back', 'push', 'sweep', 'administrator', 'advice', 'checkout'])
export type SignalSource = z.infer<typeof signalSource>
/**
 * There is a reason to ask the provider about the payment (E4). `claim` is what a browser says happened; it is never
 * believed.
 */
export const customerSignalled = eventType(
  'payments.customer-signalled.v1',
  z.strictObject({ attemptId, source: signalSource, claim: z.string().max(40).nullable(), at }),
)

const paymentReport = z.strictObject({
  explanation: words,
  method: z.string().nullable(),
  cardLast4: z.string().nullable(),
  approval: z.string().nullable(),
  fraud: z.string().nullable(),
})
export type PaymentReport = z.infer<typeof paymentReport>

/**
 * The provider has confirmed the payment (E5). All of `amount` is the school's, `fee` the provider's on top. `late`:
 * the attempt had been given up.
 */
export const paymentVerified = eventType(
  'payments.payment-verified.v1',
  z.strictObject({
    attemptId,
    code: z.string(),
    amount: ngwee,
    fee: ngwee,
    late: z.boolean(),
    report: paymentReport,
    at,
  }),
)
/**
 * The provider reports a payment with another amount, currency or reference (E6). `received` is null when it was not
 * in our currency.
 */
export const paymentMismatched = eventType(
  'payments.payment-mismatched.v1',
  z.strictObject({
    attemptId,
    code: z.string(),
    received: z.nullable(ngwee),
    differences: z.array(
      z.strictObject({
        what: z.enum(['amount', 'currency', 'reference']),
        expected: z.string(),
        reported: z.string().nullable(),
      }),
    ),
    report: paymentReport,
    at,
  }),
)
const answered = { attemptId, code: z.string(), explanation: words, at }
/** The provider says that the payment is not finished (E7). */
export const paymentStillPending = eventType(
  'payments.payment-still-pending.v1',
  z.strictObject({ ...answered, unusual: z.boolean() }),
)
/** The provider has declined the payment (E8). */
export const paymentDeclined = eventType('payments.payment-declined.v1', z.strictObject(answered))
/** The provider says that the payment was cancelled (E9). */
export const paymentCancelled = eventType('payments.payment-cancelled.v1', z.strictObject(answered))
/** The time to pay is over (E10). `cause`: the provider said so, or the limit passed without a payment. */
export const paymentExpired = eventType(
  'payments.payment-expired.v1',
  z.strictObject({ ...answered, cause: z.enum(['provider', 'limit']) }),
)
/** The provider gave an answer that changes nothing (E11 and others), recorded once per change of answer. */
export const providerAnswerNoted = eventType(
  'payments.provider-answer-noted.v1',
  z.strictObject({ ...answered, kind: z.string() }),
)
/** We have acknowledged the payment to the provider. */
export const paymentAcknowledged = eventType(
  'payments.payment-acknowledged.v1',
  z.strictObject({ attemptId, at }),
)
/** The provider took no acknowledgement for a day, and is not told any more. */
export const acknowledgementGivenUp = eventType(
  'payments.acknowledgement-given-up.v1',
  z.strictObject({ attemptId, at }),
)

/** Another attempt of the same parent has taken the place of this one (E12). `by`: that attempt. */
export const attemptSuperseded = eventType(
  'payments.attempt-superseded.v1',
  z.strictObject({ attemptId, by: z.uuid(), at }),
)
/** The attempt has been given up (E13). `tokenCancelled`: the provider confirmed it. */
export const attemptAbandoned = eventType(
  'payments.attempt-abandoned.v1',
  z.strictObject({ attemptId, tokenCancelled: z.boolean(), at }),
)

/** The paid lines have become orders, all or some of them (E14). */
export const ordersCreated = eventType(
  'payments.orders-created.v1',
  z.strictObject({ attemptId, orders: lineOrders, at }),
)
/** Paid lines cannot become orders (E15). */
export const linesBlocked = eventType(
  'payments.lines-blocked.v1',
  z.strictObject({ attemptId, lines: blockedLines, at }),
)
/** Creating the orders failed with a fault (E16). `error` is its kind, without its text. */
export const fulfilmentFailed = eventType(
  'payments.fulfilment-failed.v1',
  z.strictObject({ attemptId, attempt: z.int().positive(), error: z.string().max(100), at }),
)

/** States a retry may start from. */
const recoverable = z.enum(['blocked', 'review', 'declined', 'create_failed'])
export type Recoverable = z.infer<typeof recoverable>
/** An administrator recovers the attempt and holds a lease on it (E17). */
export const recoveryStarted = eventType(
  'payments.recovery-started.v1',
  z.strictObject({ attemptId, prior: recoverable, leaseUntil: at, at }),
)
/** An administrator has replaced the lines with these indexes. */
export const linesAmended = eventType(
  'payments.lines-amended.v1',
  z.strictObject({ attemptId, lines: z.array(mealLine).min(1), at }),
)
/** The recovery has ended without a result (E17, E18). */
export const recoveryEnded = eventType(
  'payments.recovery-ended.v1',
  z.strictObject({ attemptId, why: z.enum(['not-paid', 'no-answer', 'lease-lost']), at }),
)
/**
 * An administrator has accepted a mismatched amount (E19). `amount` counts as received; of it `surplus` is owed back,
 * `shortfall` is missing to the total.
 */
export const mismatchAccepted = eventType(
  'payments.mismatch-accepted.v1',
  z.strictObject({ attemptId, amount: ngwee, surplus: ngwee, shortfall: ngwee, reason: words, at }),
)
const closure = z.strictObject({ id: z.uuid(), remedy: z.enum(remedies), by: rowId })
export type LineClosure = z.infer<typeof closure>
/**
 * An administrator has given up the lines that cannot be ordered (E20). `lines` are owed back, each with its amount;
 * `surplus` is what was paid above the total. With a `closure` it is what was paid for closed days, without anybody acting.
 */
export const remainderWaived = eventType(
  'payments.remainder-waived.v1',
  z.strictObject({
    attemptId,
    lines: z.array(z.strictObject({ index, amount: ngwee })).min(1),
    surplus: ngwee,
    reason: words,
    closure: closure.optional(),
    at,
  }),
)

/** A line index, or money above the total. */
const owedPart = z.union([index, z.literal('surplus')])
export type OwedPart = z.infer<typeof owedPart>
/**
 * A part that was owed back has been paid back (E21). `payoutId`: one act of paying back; the same again is no second
 * one.
 */
export const refundRecorded = eventType(
  'payments.refund-recorded.v1',
  z.strictObject({ attemptId, part: owedPart, payoutId: z.uuid(), amount: ngwee, at }),
)
