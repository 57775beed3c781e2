import {
  attemptAbandoned,
  attemptSuperseded,
  customerSignalled,
  paymentAcknowledged,
  providerTokenIssued,
  providerTokenRefused,
  signalSources,
} from './events'
import type { AttemptEvent } from './events'
import { isMoneyOurs, signalKey } from './payment-attempt'
import type { PaymentAttempt, Standing } from './payment-attempt'
import type { Verdict } from '../providers/match'
import { refusal } from '../refusals'
import { decideVerdict } from './verdict.decide'

export type SignalSource = (typeof signalSources)[number]

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
export type RecordVerdict = { kind: 'record-verdict'; verdict: Verdict; now: Date }
type RecordAcknowledgement = { kind: 'record-acknowledgement'; now: Date }
type Supersede = { kind: 'supersede'; by: string; now: Date }
type Abandon = { kind: 'abandon'; tokenCancelled: boolean; now: Date }

/** From the token to the money: E2 to E13 of payments.md section 5. */
export type MoneyCommand =
  IssueToken | RefuseToken | Signal | RecordVerdict | RecordAcknowledgement | Supersede | Abandon

// Browsers may say anything, and as often as they like.
const mostSignals = 20

/** What is not in the table changes nothing and, where it tells nothing new, is not recorded either. */
export const decideMoney = (command: MoneyCommand, attempt: PaymentAttempt): AttemptEvent[] => {
  if (attempt.status === 'none') throw refusal('attempt_not_found')
  switch (command.kind) {
    case 'issue-token':
      return issueToken(command, attempt)
    case 'refuse-token':
      return refuseToken(command, attempt)
    case 'signal':
      return signal(command, attempt)
    case 'record-verdict':
      return decideVerdict(command, attempt)
    case 'record-acknowledgement':
      return recordAcknowledgement(command, attempt)
    case 'supersede':
      return isAwaited(attempt) ? [attemptSuperseded({ ...about(attempt, command), by: command.by })] : []
    case 'abandon':
      return abandon(command, attempt)
  }
}

const about = ({ checkout: { attemptId } }: Standing, { now }: { now: Date }) => ({
  attemptId,
  at: now.toISOString(),
})

/** The customer may be on the provider's page. */
export const isAwaited = ({ status }: PaymentAttempt): boolean =>
  status === 'initiated' || status === 'processing'

const issueToken = (command: IssueToken, attempt: Standing): AttemptEvent[] => {
  if (attempt.token?.token === command.token) return []
  // Given up meanwhile: nobody was shown this token, and nobody will be.
  if (attempt.status !== 'draft' || attempt.checkout.kind !== 'card') throw refusal('attempt_closed')
  const { token, ref } = command
  const limitAt = command.limitAt.toISOString()
  const holdUntil = command.holdUntil.toISOString()
  return [providerTokenIssued({ ...about(attempt, command), token, ref, limitAt, holdUntil })]
}

const refuseToken = (command: RefuseToken, attempt: Standing): AttemptEvent[] =>
  attempt.status === 'draft' && attempt.checkout.kind === 'card'
    ? [providerTokenRefused({ ...about(attempt, command), why: command.why, detail: command.detail })]
    : []

const signal = (command: Signal, attempt: Standing): AttemptEvent[] => {
  const { source, claim } = command
  const isTold = attempt.signals.includes(signalKey(source, claim))
  const tellsNothing = isTold || source === 'sweep' || attempt.signals.length >= mostSignals
  if (attempt.status !== 'initiated' && tellsNothing) return []
  return [customerSignalled({ ...about(attempt, command), source, claim })]
}

const recordAcknowledgement = (command: RecordAcknowledgement, attempt: Standing): AttemptEvent[] =>
  isMoneyOurs(attempt) && attempt.token && !attempt.acknowledged
    ? [paymentAcknowledged(about(attempt, command))]
    : []

const abandon = (command: Abandon, attempt: Standing): AttemptEvent[] => {
  const { status } = attempt
  if (status === 'processing')
    return [attemptAbandoned({ ...about(attempt, command), tokenCancelled: command.tokenCancelled })]
  if (status === 'abandoned' || status === 'cancelled' || status === 'expired') return []
  throw refusal(isMoneyOurs(attempt) || status === 'recovering' ? 'attempt_paid' : 'not_processing')
}
