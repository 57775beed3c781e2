import {
  attemptAbandoned,
  attemptSuperseded,
  checkoutRefused,
  checkoutStarted,
  customerSignalled,
  linesReleased,
  paymentAcknowledged,
  paymentCancelled,
  paymentDeclined,
  paymentExpired,
  paymentMismatched,
  paymentStillPending,
  paymentVerified,
  providerAnswerNoted,
  providerTokenIssued,
  providerTokenRefused,
} from './events'
import type { AttemptEvent, Checkout } from './events'
import { afterPayment, detoured, plain } from './settling'
import { answerKey, noAttempt, signalKey } from './payment-attempt'
import type { PaymentAttempt, Standing } from './payment-attempt'

/** What an event makes of an attempt; an event that does not fit changes nothing. */
export const evolve = (attempt: PaymentAttempt, event: AttemptEvent): PaymentAttempt => {
  if (event.type === checkoutStarted.type) return begun(event.data)
  if (attempt.status === 'none') return attempt
  switch (event.type) {
    case checkoutRefused.type:
      return { ...plain(attempt, 'releasing'), refused: event.data.lines }
    case linesReleased.type:
      return attempt.status === 'releasing' ? plain(attempt, 'refused') : attempt
    case providerTokenIssued.type: {
      const { token, ref, limitAt, at } = event.data
      return { ...plain(attempt, 'initiated'), token: { token, ref, issuedAt: at, limitAt } }
    }
    case providerTokenRefused.type:
      return detoured(attempt, 'create_failed')
    case customerSignalled.type: {
      const signals = [...attempt.signals, signalKey(event.data.source, event.data.claim)]
      return attempt.status === 'initiated'
        ? { ...plain(attempt, 'processing'), signals }
        : { ...attempt, signals }
    }
    case attemptSuperseded.type:
      return detoured(attempt, 'cancelled')
    case attemptAbandoned.type:
      return detoured(attempt, 'abandoned')
    case paymentAcknowledged.type:
      return { ...attempt, acknowledged: true }
    case paymentVerified.type:
    case paymentMismatched.type:
    case paymentStillPending.type:
    case paymentDeclined.type:
    case paymentCancelled.type:
    case paymentExpired.type:
    case providerAnswerNoted.type:
      return { ...answered(attempt, event), lastAnswer: answerOf(event) }
    default:
      return afterPayment(attempt, event)
  }
}

const nothingOwed = { owed: 0, paidBack: 0 }

const begun = (checkout: Checkout): Standing => ({
  status: 'draft',
  checkout,
  fates: checkout.lines.map(() => ({ kind: 'open' })),
  token: null,
  money: null,
  acknowledged: false,
  surplus: nothingOwed,
  shortfall: 0,
  detour: false,
  failures: 0,
  lastAnswer: null,
  signals: [],
  refused: [],
  amended: [],
  payouts: [],
})

type AnswerEvent = Extract<AttemptEvent, { data: { code: string } }>

const answered = (attempt: Standing, event: AnswerEvent): Standing => {
  switch (event.type) {
    case paymentVerified.type: {
      const { amount, fee, late, at } = event.data
      return { ...plain(attempt, 'paid'), money: { amount, fee, verifiedAt: at, late } }
    }
    case paymentMismatched.type: {
      const { received, at } = event.data
      return {
        ...detoured(attempt, 'review'),
        money: { amount: received, fee: 0, verifiedAt: at, late: false },
      }
    }
    case paymentStillPending.type:
      return plain(attempt, 'processing')
    case paymentDeclined.type:
      return detoured(attempt, 'declined')
    case paymentCancelled.type:
      return detoured(attempt, 'cancelled')
    case paymentExpired.type:
      return detoured(attempt, 'expired')
    case providerAnswerNoted.type:
      return attempt
  }
}

const answerKinds = {
  [paymentVerified.type]: 'paid',
  [paymentMismatched.type]: 'mismatch',
  [paymentStillPending.type]: 'pending',
  [paymentDeclined.type]: 'declined',
  [paymentCancelled.type]: 'cancelled',
  [paymentExpired.type]: 'expired',
}

const answerOf = (event: AnswerEvent): string => {
  if (event.type === providerAnswerNoted.type) return answerKey(event.data.kind, event.data.code)
  const isOurs = event.type === paymentExpired.type && event.data.cause === 'limit'
  return answerKey(isOurs ? 'pending' : answerKinds[event.type], event.data.code)
}

/** An attempt as its events told it. */
export const attemptFold = { initial: noAttempt, evolve }
