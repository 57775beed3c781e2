import { cutText } from '#kernel/cut-text'
import type { ReportedPayment, Verdict } from '../providers/provider'
import { refusal } from '../refusals'
import * as events from './events'
import type { SignalSource, PaymentReport } from './events'
import {
  about,
  answerKey,
  isAwaited,
  maxNotedAnswers,
  maxSignals,
  isGivenUp,
  isMoneyOurs,
  signalKey,
  type PaymentAttempt,
  type StartedAttempt,
  type AttemptEvent,
} from './payment-attempt'

type IssueToken = {
  kind: 'issue-token'
  token: string
  ref: string | null
  limitAt: Date
  holdUntil: Date
  now: Date
}
type RefuseToken = { kind: 'refuse-token'; why: string; detail: string | null; now: Date }
type Signal = { kind: 'signal'; source: SignalSource; claim: string | null; now: Date }
type RecordVerdict = { kind: 'record-verdict'; verdict: Verdict; now: Date }
type RecordAcknowledgement = { kind: 'record-acknowledgement' | 'give-up-acknowledgement'; now: Date }
type Supersede = { kind: 'supersede'; by: string; now: Date }
type Abandon = { kind: 'abandon'; tokenCancelled: boolean; now: Date }

export type PaymentCommand =
  | IssueToken
  | RefuseToken
  | Signal
  | RecordVerdict
  | RecordAcknowledgement
  | Supersede
  | Abandon

/** From token to money: E2 to E13 of payments.md section 5. Anything outside its table changes nothing. */
export const decidePayment = (command: PaymentCommand, attempt: PaymentAttempt): AttemptEvent[] => {
  if (attempt.status === 'none') throw refusal('attempt_not_found')
  switch (command.kind) {
    case 'issue-token':
      return issueToken(command, attempt)
    case 'refuse-token':
      return refuseToken(command, attempt)
    case 'signal':
      return signal(command, attempt)
    case 'record-verdict':
      return recordVerdict(command, attempt)
    case 'record-acknowledgement':
    case 'give-up-acknowledgement':
      return recordAcknowledgement(command, attempt)
    case 'supersede':
      return isAwaited(attempt)
        ? [events.attemptSuperseded({ ...about(attempt, command.now), by: command.by })]
        : []
    case 'abandon':
      return abandon(command, attempt)
  }
}

const issueToken = (command: IssueToken, attempt: StartedAttempt): AttemptEvent[] => {
  if (attempt.token?.token === command.token) return []
  // Given up meanwhile: nobody sees this token.
  if (attempt.status !== 'draft' || attempt.checkout.kind !== 'card') throw refusal('attempt_closed')
  const { token, ref } = command
  const limitAt = command.limitAt.toISOString()
  const holdUntil = command.holdUntil.toISOString()
  return [events.providerTokenIssued({ ...about(attempt, command.now), token, ref, limitAt, holdUntil })]
}

const refuseToken = (command: RefuseToken, attempt: StartedAttempt): AttemptEvent[] =>
  attempt.status === 'draft' && attempt.checkout.kind === 'card'
    ? [
        events.providerTokenRefused({
          ...about(attempt, command.now),
          why: command.why,
          detail: command.detail,
        }),
      ]
    : []

const signal = (command: Signal, attempt: StartedAttempt): AttemptEvent[] => {
  const { source, claim } = command
  const isKnown = attempt.signals.includes(signalKey(source, claim))
  const isNothingNew = isKnown || source === 'sweep' || attempt.signals.length >= maxSignals
  if (attempt.status !== 'initiated' && isNothingNew) return []
  return [events.customerSignalled({ ...about(attempt, command.now), source, claim })]
}

const recordAcknowledgement = (command: RecordAcknowledgement, attempt: StartedAttempt): AttemptEvent[] =>
  isMoneyOurs(attempt) && attempt.token && !attempt.acknowledged
    ? [acknowledgementEvents[command.kind](about(attempt, command.now))]
    : []

const acknowledgementEvents = {
  'record-acknowledgement': events.paymentAcknowledged,
  'give-up-acknowledgement': events.acknowledgementGivenUp,
}

const abandon = (command: Abandon, attempt: StartedAttempt): AttemptEvent[] => {
  const { status } = attempt
  if (status === 'processing')
    return [
      events.attemptAbandoned({ ...about(attempt, command.now), tokenCancelled: command.tokenCancelled }),
    ]
  if (status === 'abandoned' || status === 'cancelled' || status === 'expired') return []
  throw refusal(isMoneyOurs(attempt) || status === 'recovering' ? 'attempt_paid' : 'not_processing')
}

/** Received money stays, a late success wins over giving up, a missing answer changes nothing (E5 to E11). */
const recordVerdict = ({ verdict, now }: RecordVerdict, attempt: StartedAttempt): AttemptEvent[] => {
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
      return isAwaited(attempt)
        ? [events.paymentCancelled(answerOf(verdict, attempt, at))]
        : [...noted(verdict, attempt, at), ...withoutMoney(attempt, 'not-paid', at)]
    case 'expired':
      return isAwaited(attempt)
        ? [events.paymentExpired({ ...answerOf(verdict, attempt, at), cause: 'provider' })]
        : [...noted(verdict, attempt, at), ...withoutMoney(attempt, 'not-paid', at)]
    case 'config':
    case 'unreachable':
      return [...noted(verdict, attempt, at), ...withoutMoney(attempt, 'no-answer', at)]
  }
}

type Unpaid = Extract<Verdict, { kind: 'declined' | 'cancelled' | 'expired' }>
type Of<Kind extends Verdict['kind']> = Extract<Verdict, { kind: Kind }>

const idOf = ({ checkout }: StartedAttempt) => checkout.attemptId

const clipped = (text: string) => cutText(text, 1000)

const answerOf = (
  { code, explanation }: { code: string; explanation: string },
  attempt: StartedAttempt,
  at: string,
) => ({ attemptId: idOf(attempt), code, explanation: clipped(explanation), at })

const reportOf = ({ explanation, method, cardLast4, approval, fraud }: ReportedPayment): PaymentReport => ({
  explanation: clipped(explanation),
  method,
  cardLast4,
  approval,
  fraud: fraud.flagged ? (fraud.code ?? 'flagged') : null,
})

const verified = ({ code, amount, fee, report }: Of<'paid'>, attempt: StartedAttempt, at: string) => {
  const late = isGivenUp(attempt)
  return events.paymentVerified({
    attemptId: idOf(attempt),
    code,
    amount,
    fee,
    late,
    report: reportOf(report),
    at,
  })
}

const mismatched = (verdict: Of<'mismatch'>, attempt: StartedAttempt, at: string): AttemptEvent[] => {
  const { code, received, differences, report } = verdict
  const inReview =
    attempt.status === 'review' || (attempt.status === 'recovering' && attempt.prior === 'review')
  const learned = attempt.money?.amount == null && received !== null
  if (inReview && !learned) return [...noted(verdict, attempt, at), ...withoutMoney(attempt, 'not-paid', at)]
  const found = { attemptId: idOf(attempt), code, received, differences, report: reportOf(report), at }
  return [events.paymentMismatched(found)]
}

/** Unpaid 2 minutes after the limit is expired; at the bank it may still arrive. */
const pending = (verdict: Of<'pending'>, attempt: StartedAttempt, now: Date): AttemptEvent[] => {
  const at = now.toISOString()
  if (!isAwaited(attempt)) return [...noted(verdict, attempt, at), ...withoutMoney(attempt, 'not-paid', at)]
  const limitAt = attempt.token && Date.parse(attempt.token.limitAt)
  const isOver = limitAt !== null && now.getTime() >= limitAt + limitGraceMs
  const answer = answerOf(verdict, attempt, at)
  if (verdict.code === '900' && isOver) return [events.paymentExpired({ ...answer, cause: 'limit' })]
  const isNew = attempt.status === 'initiated' || isToBeNoted(verdict, attempt)
  return isNew ? [events.paymentStillPending({ ...answer, unusual: verdict.unusual })] : []
}

const declined = (verdict: Unpaid, attempt: StartedAttempt, at: string): AttemptEvent[] => {
  // In review there is money, which a later "declined" does not remove.
  const mayDecline = isAwaited(attempt) || (attempt.status === 'recovering' && attempt.prior !== 'review')
  return mayDecline
    ? [events.paymentDeclined(answerOf(verdict, attempt, at))]
    : [...noted(verdict, attempt, at), ...withoutMoney(attempt, 'not-paid', at)]
}

/** A recovery without money returns to its start. */
const withoutMoney = (attempt: StartedAttempt, why: 'not-paid' | 'no-answer', at: string): AttemptEvent[] =>
  attempt.status === 'recovering' ? [events.recoveryEnded({ attemptId: idOf(attempt), why, at })] : []

const noted = (verdict: Verdict, attempt: StartedAttempt, at: string): AttemptEvent[] => {
  if (!isToBeNoted(verdict, attempt)) return []
  const explanation = clipped(explanationOf(verdict))
  const code = codeOf(verdict)
  return [events.providerAnswerNoted({ attemptId: idOf(attempt), kind: verdict.kind, code, explanation, at })]
}

const isToBeNoted = (verdict: Verdict, attempt: StartedAttempt) =>
  attempt.lastAnswer !== keyOf(verdict) && attempt.notedAnswers < maxNotedAnswers

const keyOf = (verdict: Verdict) => answerKey(verdict.kind, codeOf(verdict))

const codeOf = (verdict: Verdict) => (verdict.kind === 'unreachable' ? verdict.why : verdict.code)

const explanationOf = (verdict: Verdict): string => {
  switch (verdict.kind) {
    case 'paid':
    case 'mismatch':
      return verdict.report.explanation
    case 'unreachable':
      return verdict.detail ?? ''
    default:
      return verdict.explanation
  }
}

const minuteMs = 60_000

/** Unpaid attempts expire this long after their limit. */
const limitGraceMs = 2 * minuteMs

export const acknowledgeForMs = 24 * 60 * minuteMs

const maxAcknowledgePauseMs = 60 * minuteMs

/** 1 min, 2, 4, … up to an hour. */
export const acknowledgePauseMs = (tries: number): number =>
  Math.min(minuteMs * 2 ** (tries - 1), maxAcknowledgePauseMs)

const afterIssueMs = [1, 2, 4, 8, 15, 25].map((minutes) => minutes * minuteMs)
const afterLimitMs = [limitGraceMs, 30 * minuteMs, 24 * 60 * minuteMs]

/** 60 s, 2, 4, 8, 15, 25 min, then 2 and 30 min and 24 h after the limit (payments.md section 5). One check makes up for missed ones. */
export const nextCheckAfter = (
  since: Date,
  { issuedAt, limitAt }: { issuedAt: Date; limitAt: Date },
): Date | null => {
  const times = [
    ...afterIssueMs.map((ms) => issuedAt.getTime() + ms),
    ...afterLimitMs.map((ms) => limitAt.getTime() + ms),
  ].toSorted((one, other) => one - other)
  const next = times.find((time) => time > since.getTime())
  return next === undefined ? null : new Date(next)
}
