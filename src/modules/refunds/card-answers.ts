import type { Ngwee } from '#kernel/money'
import type { CardAnswer, ListedRefunds } from './card-refund'

type Unreachable = { kind: 'unreachable'; why: string; detail: string | null }
type Misconfigured = { kind: 'config'; code: string; explanation: string }

/** What the card provider answers to a request for a refund; `unreachable`: it may have carried it out all the same. */
type RequestAnswer =
  | { kind: 'accepted' }
  | { kind: 'refused'; code: string; explanation: string }
  | Misconfigured
  | Unreachable

/** One refund that the provider lists; `amount` null: not told in whole ngwee. */
export type ReportedRefund = { status: 'done' | 'declined' | 'pending'; amount: Ngwee | null }

/** All refunds that the provider knows of a payment. */
type ListAnswer = { kind: 'reported'; refunds: readonly ReportedRefund[] } | Misconfigured | Unreachable

/** A payment that was taken by card: how the provider knows it, and what was received of it, a fee not counted. */
export type CardPayment = { token: string; ref: string | null; received: Ngwee }

/** The card provider as refunds need it. No function throws or rejects: what goes wrong is an answer. */
export type CardRefunder = {
  refund: (request: {
    token: string
    amount: Ngwee
    details: string
    /** Our id of the request. */
    refundRef: string
  }) => Promise<RequestAnswer>
  verifyRefund: (payment: Pick<CardPayment, 'token' | 'ref'>) => Promise<ListAnswer>
}

/** Refused as such, or for our credentials: nothing was carried out. Without an answer nobody knows. */
export const cardAnswerOf = (answer: RequestAnswer): CardAnswer => {
  switch (answer.kind) {
    case 'accepted':
      return { answer: 'accepted', code: '000', explanation: '' }
    case 'refused':
    case 'config':
      return { answer: 'refused', code: answer.code, explanation: answer.explanation }
    case 'unreachable':
      return { answer: 'unclear', code: answer.detail ?? answer.why, explanation: '' }
  }
}

export const listedOf = (refunds: readonly ReportedRefund[], amount: Ngwee): ListedRefunds => ({
  done: countOf(refunds, 'done', amount),
  declined: countOf(refunds, 'declined', amount),
})

/**
 * What became of a request, by what the list has more than before it. Null: it is not in the list, which does not say that
 * it was not carried out.
 */
export const outcomeIn = (
  refunds: readonly ReportedRefund[],
  { amount, before }: { amount: Ngwee; before: ListedRefunds | null },
): ReportedRefund['status'] | null => {
  if (!before) return null
  const listed = listedOf(refunds, amount)
  if (listed.done > before.done) return 'done'
  if (listed.declined > before.declined) return 'declined'
  return countOf(refunds, 'pending', amount) > 0 ? 'pending' : null
}

const countOf = (refunds: readonly ReportedRefund[], status: ReportedRefund['status'], amount: Ngwee) =>
  refunds.filter((one) => one.status === status && one.amount === amount).length

/** What went back of a payment by its list, or is on its way. */
export const wentBackIn = (refunds: readonly ReportedRefund[]): Ngwee =>
  refunds.reduce((sum, { status, amount }) => (status === 'declined' ? sum : sum + (amount ?? 0)), 0)
