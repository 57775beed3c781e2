import type { Ngwee } from '#kernel/money'

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
export type ToldAmount = { amount: Ngwee | null; currency: string | null }

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
 * What the provider says became of a token. `says-paid` and `says-mismatch` are claims: only `verdictFor` (match.ts)
 * may call a payment paid. `unusual`: a code that should not occur here, for a person to look at.
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
