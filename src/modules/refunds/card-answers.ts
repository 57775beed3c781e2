import type { Ngwee } from '#kernel/money'
import type { CardAnswer, ListedRefunds } from './card-refund'

type Unreachable = { kind: 'unreachable'; why: string; detail: string | null }
type Misconfigured = { kind: 'config'; code: string; explanation: string }

type RequestAnswer =
  | { kind: 'accepted' }
  | { kind: 'refused'; code: string; explanation: string }
  | Misconfigured
  | Unreachable

/** `amount` is null if not in whole ngwee. */
export type ReportedRefund = { status: 'done' | 'declined' | 'pending'; amount: Ngwee | null }

type ListAnswer = { kind: 'reported'; refunds: readonly ReportedRefund[] } | Misconfigured | Unreachable

/** `received` is without the fee. */
export type CardPayment = { token: string; ref: string | null; received: Ngwee }

/** The card provider for refunds. Functions never throw: failures are answers. */
export type CardRefunder = {
  refund: (request: {
    token: string
    amount: Ngwee
    details: string
    refundRef: string
  }) => Promise<RequestAnswer>
  verifyRefund: (payment: Pick<CardPayment, 'token' | 'ref'>) => Promise<ListAnswer>
}

/** A refusal, or rejected credentials: nothing happened. No answer: unknown. */
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

/** Finds a request in the growth of the provider's list. Null: not listed, which does not prove failure. */
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

export const refundedIn = (refunds: readonly ReportedRefund[]): Ngwee =>
  refunds.reduce((sum, { status, amount }) => (status === 'declined' ? sum : sum + (amount ?? 0)), 0)
