import { decimalFromNgwee, type Ngwee } from '#kernel/money'

export const schoolCurrency = 'ZMW'

export type TokenRequest = {
  reference: string
  amount: Ngwee
  /** Refuses a reference already paid. */
  unique: boolean
  returnUrl: string
  backUrl: string
  /** Whole minutes, at least 1. */
  limitMinutes: number
  customer: { firstName: string; lastName: string; email: string; phone: string | null }
  description: string
  serviceAt: Date
}

/** No usable answer: change nothing, ask again. `detail` (status, result or error code) is safe to log. */
export type Unreachable = { kind: 'unreachable'; why: UnreachableWhy; detail: string | null }

export type UnreachableWhy =
  | 'timeout'
  | 'no-connection'
  | 'http-status'
  | 'too-large'
  | 'doctype'
  | 'not-xml'
  | 'no-code'
  | 'unknown-code'
  | 'no-token'

export const unreachable = (why: UnreachableWhy, detail: string | null = null): Unreachable => ({
  kind: 'unreachable',
  why,
  detail,
})

/** The provider rejects our credentials or request: a person must look at once. */
export type Misconfigured = { kind: 'config'; code: string; explanation: string }

export type TokenAnswer =
  /** `ref` is the provider's short number, null for none. */
  | { kind: 'created'; token: string; ref: string | null }
  | { kind: 'refused'; reason: 'already-paid' | 'over-limit' | 'other'; code: string; explanation: string }
  /** Not asked: the breaker is open until then. */
  | { kind: 'unavailable'; until: Date }
  | Misconfigured
  | Unreachable

/** A mobile network that can be charged for a token, in the provider's words. */
export type MobileOption = { name: string; country: string; countryCode: string }

export type MobileOptionsAnswer = { kind: 'options'; options: MobileOption[] } | Misconfigured | Unreachable

/** `phone`: country code and number, digits only. */
export type PromptRequest = { token: string; option: MobileOption; phone: string }

/** `unreachable` may have sent the prompt: only `verify` tells, so never ask again unasked. */
export type PromptAnswer =
  | { kind: 'sent'; code: string; instructions: string | null }
  | { kind: 'paid'; code: string }
  | { kind: 'refused'; code: string; explanation: string }
  | Misconfigured
  | Unreachable

type ReportedAmount = { amount: Ngwee | null; currency: string | null }

/** Null fields are unreported. Holds nothing about the payer. */
export type ReportedPayment = {
  explanation: string
  transaction: ReportedAmount
  final: ReportedAmount
  reference: string | null
  /** Paid on top, for the provider. */
  markupFee: Ngwee | null
  fraud: { flagged: boolean; code: string | null; explanation: string | null }
  method: string | null
  cardLast4: string | null
  approval: string | null
}

/** A token's state as claimed: only `verdictFor` decides that it is paid. `unusual` needs a person. */
export type ProviderAnswer =
  | { kind: 'says-paid'; code: string; report: ReportedPayment }
  | { kind: 'says-mismatch'; code: string; report: ReportedPayment }
  | { kind: 'pending'; code: string; explanation: string; unusual: boolean }
  | { kind: 'declined' | 'cancelled' | 'expired'; code: string; explanation: string }
  | Misconfigured
  | Unreachable

export type CancelAnswer =
  | { kind: 'cancelled' }
  | { kind: 'refused'; code: string; explanation: string }
  | Misconfigured
  | Unreachable

export type RefundRequest = {
  token: string
  amount: Ngwee
  details: string
  refundRef: string
}

/** `unreachable` may have succeeded: check `verifyRefund` before asking again. */
export type RefundAnswer =
  | { kind: 'accepted' }
  | { kind: 'refused'; code: string; explanation: string }
  | Misconfigured
  | Unreachable

/** `amount` is null if not in whole ngwee. */
export type ReportedRefund = {
  status: 'done' | 'declined' | 'pending'
  code: string
  amount: Ngwee | null
  date: string | null
}

export type RefundsAnswer = { kind: 'reported'; refunds: ReportedRefund[] } | Misconfigured | Unreachable

/** Payments on the provider's page or by a prompt on the payer's phone. Functions never throw: failures are answers. */
export type CardProvider = {
  createToken: (request: TokenRequest) => Promise<TokenAnswer>
  /** `acknowledge` also confirms to the provider that we know. */
  verify: (token: string, options: { acknowledge: boolean }) => Promise<ProviderAnswer>
  cancel: (token: string) => Promise<CancelAnswer>
  mobileOptions: (token: string) => Promise<MobileOptionsAnswer>
  /** Asks the payer's phone to approve the token's payment. */
  sendPrompt: (request: PromptRequest) => Promise<PromptAnswer>
  refund: (request: RefundRequest) => Promise<RefundAnswer>
  verifyRefund: (paid: { token: string; ref: string | null }) => Promise<RefundsAnswer>
  paymentPageUrl: (token: string) => string
}

export type ExpectedPayment = { amount: Ngwee; currency: string; reference: string }

export type Difference = {
  what: 'amount' | 'currency' | 'reference'
  expected: string
  reported: string | null
}

type Claim = Extract<ProviderAnswer, { kind: 'says-paid' | 'says-mismatch' }>

export type Verdict =
  /** `amount` is ours; `fee` came on top. */
  | { kind: 'paid'; code: string; amount: Ngwee; fee: Ngwee; report: ReportedPayment }
  /** Money moved differently. `received` in our currency with fee; null if unknown. */
  | {
      kind: 'mismatch'
      code: string
      received: Ngwee | null
      differences: Difference[]
      report: ReportedPayment
    }
  | Exclude<ProviderAnswer, Claim>

/** Exact ngwee, fee allowed on top, either pair of amount and currency, same reference; unreported is not equal (section 8 rule 7). */
export const verdictFor = (answer: ProviderAnswer, expected: ExpectedPayment): Verdict => {
  if (answer.kind !== 'says-paid' && answer.kind !== 'says-mismatch') return answer
  const { code, report } = answer
  const differences = [...moneyDifferences(report, expected), ...referenceDifference(report, expected)]
  if (answer.kind === 'says-mismatch' || differences.length > 0)
    return { kind: 'mismatch', code, received: receivedIn(expected.currency, report), differences, report }
  return { kind: 'paid', code, amount: expected.amount, fee: feeOnTop(report, expected), report }
}

const pairsOf = ({ transaction, final }: ReportedPayment) => [transaction, final]

const isExact = ({ amount, currency }: ReportedAmount, expected: ExpectedPayment) =>
  currency === expected.currency && amount === expected.amount

const isWithFee = ({ amount, currency }: ReportedAmount, fee: Ngwee | null, expected: ExpectedPayment) =>
  currency === expected.currency && amount !== null && fee !== null && amount - fee === expected.amount

const feeOnTop = (report: ReportedPayment, expected: ExpectedPayment): Ngwee =>
  pairsOf(report).some((pair) => isExact(pair, expected)) ? 0 : (report.markupFee ?? 0)

const moneyDifferences = (report: ReportedPayment, expected: ExpectedPayment): Difference[] => {
  const matches = (pair: ReportedAmount) =>
    isExact(pair, expected) || isWithFee(pair, report.markupFee, expected)
  if (pairsOf(report).some(matches)) return []
  const { amount, currency } = clearestPair(report, expected.currency)
  const differences: Difference[] = []
  if (amount !== expected.amount)
    differences.push({
      what: 'amount',
      expected: decimalFromNgwee(expected.amount),
      reported: amount === null ? null : decimalFromNgwee(amount),
    })
  if (currency !== expected.currency)
    differences.push({ what: 'currency', expected: expected.currency, reported: currency })
  return differences
}

const clearestPair = (report: ReportedPayment, currency: string): ReportedAmount =>
  pairsOf(report).find((pair) => pair.currency === currency && pair.amount !== null) ??
  pairsOf(report).find((pair) => pair.currency === currency) ??
  report.transaction

const referenceDifference = ({ reference }: ReportedPayment, expected: ExpectedPayment): Difference[] =>
  reference === expected.reference
    ? []
    : [{ what: 'reference', expected: expected.reference, reported: reference }]

const receivedIn = (currency: string, report: ReportedPayment): Ngwee | null =>
  pairsOf(report).find((pair) => pair.currency === currency && pair.amount !== null)?.amount ?? null
