import type { ReplyOf } from '#contracts/endpoint'
import type { retryAttempt } from '#contracts/payments-console'
import { reasonOf, reasonsText, recoveryError, recoveryStatus } from './labels'
import { unresolvedLines, type StartedAttempt } from '../attempt/payment-attempt'
import type { Verdict } from '../providers/provider'

export type RecoveryOutcome = ReplyOf<typeof retryAttempt>

/** Whether orders exist, and otherwise the next step. */
export const recoveryOutcome = (
  attempt: StartedAttempt,
  verdict: Verdict | null = null,
): RecoveryOutcome => ({
  success: attempt.status === 'fulfilled' || attempt.status === 'paid',
  status:
    attempt.status === 'fulfilled'
      ? 'Orders created successfully'
      : (recoveryStatus(attempt) ?? 'Payment verification failed'),
  message: messageOf(attempt, verdict),
})

const orderAgain = 'The parent can order and pay again.'

const messageOf = (attempt: StartedAttempt, verdict: Verdict | null): string => {
  switch (attempt.status) {
    case 'fulfilled':
      return 'Order recovery initiated successfully'
    case 'paid':
      return 'The payment is there, and its orders are being made.'
    case 'blocked':
      return blocked(attempt)
    case 'recovering':
      return 'The card provider has not answered yet. Look again in a minute.'
    case 'review':
      return `${recoveryError(attempt)}. Accept it or give the money back under Order Recovery.`
    case 'create_failed':
      return `The payment was never begun: nothing was paid and nothing ordered. ${orderAgain}`
    case 'processing':
    case 'declined':
      return notPaid(verdict)
    default:
      return recoveryError(attempt) ?? `Nothing was ordered. ${orderAgain}`
  }
}

const blocked = (attempt: StartedAttempt): string => {
  const open = unresolvedLines(attempt).length
  const all = attempt.checkout.lines.length
  const [meals, it] = [all === 1 ? 'meal' : 'meals', open === 1 ? 'it' : 'them']
  const isHeld = unresolvedLines(attempt).every(({ index }) => reasonOf(attempt, index) === 'item_withdrawn')
  const first = isHeld ? `Retry to order ${it} all the same, change ${it},` : `Change ${it} and retry,`
  const why = reasonsText(attempt)
  return `${open} of ${all} ${meals} could not be ordered: ${why}. ${first} or give the money back, under Order Recovery.`
}

const notPaid = (verdict: Verdict | null): string => {
  switch (verdict?.kind) {
    case undefined:
    case 'unreachable':
    case 'config':
      return 'The card provider could not be asked, so nothing was changed. Retry in a few minutes.'
    case 'pending':
      return `The payment is not confirmed, so nothing was ordered. Retry later; if it stays so, the parent can order and pay again.`
    default:
      return `The payment was declined: nothing was paid and nothing ordered. ${orderAgain}`
  }
}
