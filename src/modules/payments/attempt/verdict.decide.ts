import {
  paymentCancelled,
  paymentDeclined,
  paymentExpired,
  paymentMismatched,
  paymentStillPending,
  paymentVerified,
  providerAnswerNoted,
  recoveryEnded,
} from './events'
import type { AttemptEvent, Told } from './events'
import { answerKey, isGivenUp, isMoneyOurs } from './payment-attempt'
import type { Standing } from './payment-attempt'
import type { Verdict } from '../providers/match'
import type { ToldPayment } from '../providers/provider'
import { limitGraceMs } from '../settlement/sweep-schedule'

type Finding = { verdict: Verdict; now: Date }
type Unpaid = Extract<Verdict, { kind: 'declined' | 'cancelled' | 'expired' }>
type Of<Kind extends Verdict['kind']> = Extract<Verdict, { kind: Kind }>

/**
 * What a verdict changes (E5 to E11). Money that is ours stays ours whatever comes later; a late success wins over
 * everything that was given up; an answer that could not be had changes nothing.
 */
export const decideVerdict = ({ verdict, now }: Finding, attempt: Standing): AttemptEvent[] => {
  const at = now.toISOString()
  if (isMoneyOurs(attempt)) return noted(verdict, attempt, at)
  switch (verdict.kind) {
    case 'paid':
      return [verified(verdict, attempt, at)]
    case 'mismatch':
      return mismatched(verdict, attempt, at)
    case 'pending':
      return pending(verdict, attempt, now)
    case 'declined':
      return declined(verdict, attempt, at)
    case 'cancelled':
      return isOpen(attempt)
        ? [paymentCancelled(told(verdict, attempt, at))]
        : [...noted(verdict, attempt, at), ...withoutMoney(attempt, 'not-paid', at)]
    case 'expired':
      return isOpen(attempt)
        ? [paymentExpired({ ...told(verdict, attempt, at), cause: 'provider' })]
        : [...noted(verdict, attempt, at), ...withoutMoney(attempt, 'not-paid', at)]
    case 'config':
    case 'unreachable':
      return [...noted(verdict, attempt, at), ...withoutMoney(attempt, 'no-answer', at)]
  }
}

const isOpen = ({ status }: Standing) => status === 'initiated' || status === 'processing'

const idOf = ({ checkout }: Standing) => checkout.attemptId

const clipped = (text: string) => text.slice(0, 1000)

const told = (
  { code, explanation }: { code: string; explanation: string },
  attempt: Standing,
  at: string,
) => ({ attemptId: idOf(attempt), code, explanation: clipped(explanation), at })

const toldOf = ({ explanation, method, cardLast4, approval, fraud }: ToldPayment): Told => ({
  explanation: clipped(explanation),
  method,
  cardLast4,
  approval,
  fraud: fraud.flagged ? (fraud.code ?? 'flagged') : null,
})

const verified = ({ code, amount, fee, told: all }: Of<'paid'>, attempt: Standing, at: string) => {
  const late = isGivenUp(attempt)
  return paymentVerified({ attemptId: idOf(attempt), code, amount, fee, late, told: toldOf(all), at })
}

const mismatched = (verdict: Of<'mismatch'>, attempt: Standing, at: string): AttemptEvent[] => {
  const { code, received, differences, told: all } = verdict
  const inReview =
    attempt.status === 'review' || (attempt.status === 'recovering' && attempt.prior === 'review')
  const learned = attempt.money?.amount == null && received !== null
  if (inReview && !learned) return [...noted(verdict, attempt, at), ...withoutMoney(attempt, 'not-paid', at)]
  const found = { attemptId: idOf(attempt), code, received, differences, told: toldOf(all), at }
  return [paymentMismatched(found)]
}

/** Unpaid 2 minutes after the time limit is expired; at the bank it may still come. */
const pending = (verdict: Of<'pending'>, attempt: Standing, now: Date): AttemptEvent[] => {
  const at = now.toISOString()
  if (!isOpen(attempt)) return [...noted(verdict, attempt, at), ...withoutMoney(attempt, 'not-paid', at)]
  const limitAt = attempt.token && Date.parse(attempt.token.limitAt)
  const isOver = limitAt !== null && now.getTime() >= limitAt + limitGraceMs
  const answer = told(verdict, attempt, at)
  if (verdict.code === '900' && isOver) return [paymentExpired({ ...answer, cause: 'limit' })]
  const isNew = attempt.status === 'initiated' || attempt.lastAnswer !== keyOf(verdict)
  return isNew ? [paymentStillPending({ ...answer, unusual: verdict.unusual })] : []
}

const declined = (verdict: Unpaid, attempt: Standing, at: string): AttemptEvent[] => {
  // In review there is money, which a later "declined" does not make go away.
  const mayDecline = isOpen(attempt) || (attempt.status === 'recovering' && attempt.prior !== 'review')
  return mayDecline
    ? [paymentDeclined(told(verdict, attempt, at))]
    : [...noted(verdict, attempt, at), ...withoutMoney(attempt, 'not-paid', at)]
}

/** A recovery that found no money ends where it began. */
const withoutMoney = (attempt: Standing, why: 'not-paid' | 'no-answer', at: string): AttemptEvent[] =>
  attempt.status === 'recovering' ? [recoveryEnded({ attemptId: idOf(attempt), why, at })] : []

const noted = (verdict: Verdict, attempt: Standing, at: string): AttemptEvent[] => {
  if (attempt.lastAnswer === keyOf(verdict)) return []
  const explanation = clipped(explanationOf(verdict))
  const code = codeOf(verdict)
  return [providerAnswerNoted({ attemptId: idOf(attempt), kind: verdict.kind, code, explanation, at })]
}

const keyOf = (verdict: Verdict) => answerKey(verdict.kind, codeOf(verdict))

const codeOf = (verdict: Verdict) => (verdict.kind === 'unreachable' ? verdict.why : verdict.code)

const explanationOf = (verdict: Verdict): string => {
  switch (verdict.kind) {
    case 'paid':
    case 'mismatch':
      return verdict.told.explanation
    case 'unreachable':
      return verdict.detail ?? ''
    default:
      return verdict.explanation
  }
}
