import { decimalFromNgwee, type Ngwee } from '#kernel/money'

/** The currency that parents are charged in. */
export const schoolCurrency = 'ZMW'

/** What a customer is to pay on the provider's page. */
export type TokenRequest = {
  /** Our reference of the attempt; the provider tells it back. */
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
  /** `ref` is the provider's short number for people, null when it told none. */
  | { kind: 'created'; token: string; ref: string | null }
  /** This payment alone is refused. */
  | { kind: 'refused'; reason: 'already-paid' | 'over-limit' | 'other'; code: string; explanation: string }
  /** Nothing was asked: the provider has been failing and is left alone until then. */
  | { kind: 'unavailable'; until: Date }
  | Misconfigured
  | Unreachable

/** An amount with its currency, each null when it was not told or cannot be read exactly. */
type ToldAmount = { amount: Ngwee | null; currency: string | null }

/** What the provider tells of a payment, null where it told nothing. Holds nothing about the person who paid. */
export type ToldPayment = {
  explanation: string
  transaction: ToldAmount
  /** What it came to after a conversion of currencies. */
  final: ToldAmount
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
  | { kind: 'says-paid'; code: string; told: ToldPayment }
  | { kind: 'says-mismatch'; code: string; told: ToldPayment }
  | { kind: 'pending'; code: string; explanation: string; unusual: boolean }
  | { kind: 'declined' | 'cancelled' | 'expired'; code: string; explanation: string }
  | Misconfigured
  | Unreachable

export type CancelAnswer =
  { kind: 'cancelled' } | { kind: 'refused'; code: string; explanation: string } | Misconfigured | Unreachable

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
  { kind: 'accepted' } | { kind: 'refused'; code: string; explanation: string } | Misconfigured | Unreachable

/** One refund of a token; `amount` is null when it is not told in whole ngwee. */
export type ToldRefund = {
  status: 'done' | 'declined' | 'pending'
  code: string
  amount: Ngwee | null
  date: string | null
}

export type RefundsAnswer = { kind: 'told'; refunds: ToldRefund[] } | Misconfigured | Unreachable

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

/** One thing that is not as asked; `told` is null when the provider said nothing about it. */
export type Difference = { what: 'amount' | 'currency' | 'reference'; expected: string; told: string | null }

type Claim = Extract<ProviderAnswer, { kind: 'says-paid' | 'says-mismatch' }>

export type Verdict =
  /** All of `amount` is ours; `fee` is what the customer paid on top of it. */
  | { kind: 'paid'; code: string; amount: Ngwee; fee: Ngwee; told: ToldPayment }
  /** Money moved, or is said to have, but not as asked. `received`: told in our currency, a fee included; null unknown. */
  | { kind: 'mismatch'; code: string; received: Ngwee | null; differences: Difference[]; told: ToldPayment }
  | Exclude<ProviderAnswer, Claim>

/**
 * Holds a provider's answer against what was asked (payments.md, rule 7 of section 8): to the ngwee, a told markup fee
 * allowed on top, either pair of amount and currency, the very reference. What was not told is not equal.
 */
export const verdictFor = (answer: ProviderAnswer, expected: ExpectedPayment): Verdict => {
  if (answer.kind !== 'says-paid' && answer.kind !== 'says-mismatch') return answer
  const { code, told } = answer
  const differences = [...moneyDifferences(told, expected), ...referenceDifference(told, expected)]
  if (answer.kind === 'says-mismatch' || differences.length > 0)
    return { kind: 'mismatch', code, received: receivedIn(expected.currency, told), differences, told }
  return { kind: 'paid', code, amount: expected.amount, fee: feeOnTop(told, expected), told }
}

const pairsOf = ({ transaction, final }: ToldPayment) => [transaction, final]

const isExact = ({ amount, currency }: ToldAmount, expected: ExpectedPayment) =>
  currency === expected.currency && amount === expected.amount

const isWithFee = ({ amount, currency }: ToldAmount, fee: Ngwee | null, expected: ExpectedPayment) =>
  currency === expected.currency && amount !== null && fee !== null && amount - fee === expected.amount

const feeOnTop = (told: ToldPayment, expected: ExpectedPayment): Ngwee =>
  pairsOf(told).some((pair) => isExact(pair, expected)) ? 0 : (told.markupFee ?? 0)

const moneyDifferences = (told: ToldPayment, expected: ExpectedPayment): Difference[] => {
  const matches = (pair: ToldAmount) => isExact(pair, expected) || isWithFee(pair, told.markupFee, expected)
  if (pairsOf(told).some(matches)) return []
  const { amount, currency } = mostTelling(told, expected.currency)
  const differences: Difference[] = []
  if (amount !== expected.amount)
    differences.push({
      what: 'amount',
      expected: decimalFromNgwee(expected.amount),
      told: amount === null ? null : decimalFromNgwee(amount),
    })
  if (currency !== expected.currency)
    differences.push({ what: 'currency', expected: expected.currency, told: currency })
  return differences
}

const mostTelling = (told: ToldPayment, currency: string): ToldAmount =>
  pairsOf(told).find((pair) => pair.currency === currency && pair.amount !== null) ??
  pairsOf(told).find((pair) => pair.currency === currency) ??
  told.transaction

const referenceDifference = ({ reference }: ToldPayment, expected: ExpectedPayment): Difference[] =>
  reference === expected.reference
    ? []
    : [{ what: 'reference', expected: expected.reference, told: reference }]

const receivedIn = (currency: string, told: ToldPayment): Ngwee | null =>
  pairsOf(told).find((pair) => pair.currency === currency && pair.amount !== null)?.amount ?? null
