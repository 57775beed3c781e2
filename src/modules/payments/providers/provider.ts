import { decimalFromNgwee, type Ngwee } from '#kernel/money'

/** The currency that parents are charged in. */
export const schoolCurrency = 'ZMW'

/** What a customer is to pay on the provider's page. */
export type TokenRequest = {
  /** Our reference of the attempt; the provider returns it. */
  reference: string
  amount: Ngwee
  /** The provider shall refuse a reference that has already been paid. */
  unique: boolean
  /** Where the browser goes afterwards, and where it goes from "back". */
  returnUrl: string
  backUrl: string
  /** Whole minutes in which it may be paid, at least 1. */
  limitMinutes: number
  customer: { firstName: string; lastName: string; email: string; phone: string | null }
  /** What it is for, as the customer reads it on the page. */
  description: string
  /** When the first meal is served. */
  serviceAt: Date
}

/**
 * No answer that can be acted on: nothing is known, nothing may change, ask again later. `detail` (an HTTP status, a
 * result code, an error's code word) is safe to log and to keep.
 */
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

/** The provider refuses our credentials or our request as such: for a person to look at, at once. */
export type Misconfigured = { kind: 'config'; code: string; explanation: string }

export type TokenAnswer =
  /** `ref` is the provider's short number for people, null when it has none. */
  | { kind: 'created'; token: string; ref: string | null }
  /** This payment alone is refused. */
  | { kind: 'refused'; reason: 'already-paid' | 'over-limit' | 'other'; code: string; explanation: string }
  /** Nothing was asked: the provider has been failing and is left alone until then. */
  | { kind: 'unavailable'; until: Date }
  | Misconfigured
  | Unreachable

/** An amount with its currency, each null when it was not reported or cannot be read exactly. */
type ReportedAmount = { amount: Ngwee | null; currency: string | null }

/** What the provider reports of a payment, null where it reports nothing. Holds nothing about the person who paid. */
export type ReportedPayment = {
  explanation: string
  transaction: ReportedAmount
  /** What it came to after a conversion of currencies. */
  final: ReportedAmount
  reference: string | null
  /** What the customer paid on top, for the provider. */
  markupFee: Ngwee | null
  fraud: { flagged: boolean; code: string | null; explanation: string | null }
  method: string | null
  cardLast4: string | null
  approval: string | null
}

/**
 * What the provider says became of a token. `says-paid` and `says-mismatch` are claims: only `verdictFor` may
 * call a payment paid. `unusual`: a code that should not occur here, for a person to look at.
 */
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
  /** Why, for the provider's staff and the customer's statement. */
  details: string
  /** Our id of the refund. */
  refundRef: string
}

/** `unreachable` here means that it may have been done: look with `verifyRefund` before asking again. */
export type RefundAnswer =
  | { kind: 'accepted' }
  | { kind: 'refused'; code: string; explanation: string }
  | Misconfigured
  | Unreachable

/** One refund of a token; `amount` is null when it is not reported in whole ngwee. */
export type ReportedRefund = {
  status: 'done' | 'declined' | 'pending'
  code: string
  amount: Ngwee | null
  date: string | null
}

export type RefundsAnswer = { kind: 'reported'; refunds: ReportedRefund[] } | Misconfigured | Unreachable

/** Takes card payments on a page of its own. No function throws or rejects: what goes wrong is an answer. */
export type CardProvider = {
  createToken: (request: TokenRequest) => Promise<TokenAnswer>
  /** Looks what became of a token; `acknowledge` also tells the provider that we have taken note of it. */
  verify: (token: string, options: { acknowledge: boolean }) => Promise<ProviderAnswer>
  cancel: (token: string) => Promise<CancelAnswer>
  refund: (request: RefundRequest) => Promise<RefundAnswer>
  /** All refunds of a token, found by its `ref` where there is one. */
  verifyRefund: (paid: { token: string; ref: string | null }) => Promise<RefundsAnswer>
  /** The page on which the customer pays. */
  paymentPageUrl: (token: string) => string
}

/** What an attempt asked the provider for. */
export type ExpectedPayment = { amount: Ngwee; currency: string; reference: string }

/** One thing that is not as asked; `reported` is null when the provider said nothing about it. */
export type Difference = {
  what: 'amount' | 'currency' | 'reference'
  expected: string
  reported: string | null
}

type Claim = Extract<ProviderAnswer, { kind: 'says-paid' | 'says-mismatch' }>

export type Verdict =
  /** All of `amount` is ours; `fee` is what the customer paid on top of it. */
  | { kind: 'paid'; code: string; amount: Ngwee; fee: Ngwee; report: ReportedPayment }
  /** Money moved, or is said to have, but not as asked. `received`: reported in our currency, a fee included; null unknown. */
  | {
      kind: 'mismatch'
      code: string
      received: Ngwee | null
      differences: Difference[]
      report: ReportedPayment
    }
  | Exclude<ProviderAnswer, Claim>

/**
 * Compares a provider's answer with what was asked (payments.md, rule 7 of section 8): to the ngwee, a reported markup fee
 * allowed on top, either pair of amount and currency, the very reference. What was not reported is not equal.
 */
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
