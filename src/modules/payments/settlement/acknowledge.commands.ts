import { retryOnConflict } from '#platform/event-store/retry-on-conflict'
import { attemptAppend, loadAttempt } from '../attempt/attempts.commands'
import type { Author } from '../checkout/complete-checkout.commands'
import { isMoneyOurs } from '../attempt/payment-attempt'
import { paymentAttempt } from '../attempt/payment-attempt.decide'
import type { SettleNeeds } from './verify-and-settle.commands'

/**
 * Tells the provider that we have taken note of a payment, as it wants to hear within 30 minutes. Safe to repeat. Throws
 * when the provider does not answer, so that the job tries again.
 */
export const acknowledgePayment =
  ({ eventStore, provider, now }: SettleNeeds) =>
  async (attemptId: string, by: Omit<Author, 'at'>): Promise<void> => {
    const { attempt } = await loadAttempt(eventStore, attemptId)
    if (attempt.status === 'none' || !isMoneyOurs(attempt)) return
    if (!provider || !attempt.token || attempt.acknowledged) return
    const answer = await provider.verify(attempt.token.token, { acknowledge: true })
    if (answer.kind !== 'says-paid' && answer.kind !== 'says-mismatch')
      throw new Error(`The card provider took no acknowledgement but answered ${answer.kind}`)
    await retryOnConflict(async () => {
      const loaded = await loadAttempt(eventStore, attemptId)
      const at = now()
      const events = paymentAttempt.decide({ kind: 'record-acknowledgement', now: at }, loaded.attempt)
      await eventStore.append(attemptAppend(loaded, events, { ...by, at }))
    })
  }
