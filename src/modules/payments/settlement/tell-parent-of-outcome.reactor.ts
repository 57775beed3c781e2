import { z } from 'zod'
import { job, work, type JobWork } from '#platform/jobs/job'
import type { Reactor } from '#platform/module'
import { knownAttempt } from '../attempt/change-attempt.commands'
import { checkoutStarted, paymentDeclined, paymentExpired } from '../attempt/events'
import { ordersOf, readAttemptEvent } from '../attempt/payment-attempt'
import { completeCheckout } from '../checkout/free-checkout.commands'
import type { PaymentsNeeds } from '../needs'
import { failedMail, orderedMail } from './mails'

const tellOutcomeJob = job({
  name: 'tell-parent-of-outcome',
  payload: z.object({ attemptId: z.uuid(), about: z.enum(['free', 'failed']) }),
  attempts: 10,
  backoffMs: 1_000,
})

/**
 * A parent hears that a checkout without money became orders, and that a card payment came to nothing. What was paid by
 * card has its words where it is settled, what is paid otherwise where it is told how.
 */
export const tellParentOfOutcome = (queue: PaymentsNeeds['queue']): Reactor => ({
  name: 'tell-parent-of-outcome',
  types: [checkoutStarted.type, paymentDeclined.type, paymentExpired.type],
  react: async (event) => {
    const read = readAttemptEvent(event)
    if (!read || (read.type === checkoutStarted.type && read.data.kind !== 'free')) return
    const about = read.type === checkoutStarted.type ? ('free' as const) : ('failed' as const)
    await queue.enqueue(tellOutcomeJob, { attemptId: read.data.attemptId, about }, { id: `tell-${event.id}` })
  },
})

type Needs = Pick<PaymentsNeeds, 'credit' | 'eventStore' | 'identity' | 'now' | 'ordering' | 'zone'>

/** Safe to repeat. A payment that has arrived after all, or a checkout that was refused, is told nothing of here. */
export const tellOutcomeWork = (needs: Needs): JobWork =>
  work(tellOutcomeJob, async ({ attemptId, about }) => {
    if (about === 'failed') {
      const { attempt } = await knownAttempt(needs, attemptId)
      const message = failedMail(attempt)
      const cause = `payment-failed-${attemptId}`
      if (message) await needs.identity.messageUser(attempt.checkout.userId, message, cause)
      return
    }
    const by = { actor: `job:${tellOutcomeJob.name}`, correlationId: attemptId }
    const { attempt } = await completeCheckout(needs)(attemptId, by)
    if (attempt.status !== 'fulfilled') return
    const orderIds = ordersOf(attempt).map(({ orderId }) => orderId)
    const orders = await needs.ordering.orderReplies(orderIds, needs.now())
    const message = orderedMail(attempt, orders, needs.zone, null)
    if (message)
      await needs.identity.messageUser(attempt.checkout.userId, message, `payment-ordered-${attemptId}`)
  })
