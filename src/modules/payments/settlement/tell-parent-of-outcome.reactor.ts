import { z } from 'zod'
import { job, work, type JobWork } from '#platform/jobs/job'
import type { Reactor } from '#platform/module'
import { knownAttempt } from '../attempt/change-attempt.commands'
import { ordersCreated, paymentDeclined, paymentExpired } from '../attempt/events'
import { ordersOf, readAttemptEvent } from '../attempt/payment-attempt'
import type { PaymentsNeeds } from '../needs'
import { failedMail, orderedMail } from './mails'

const tellOutcomeJob = job({
  name: 'tell-parent-of-outcome',
  payload: z.object({ attemptId: z.uuid(), about: z.enum(['ordered', 'failed']) }),
  attempts: 10,
  backoffMs: 1_000,
})

/**
 * A parent hears that a checkout without money became orders, and that a card payment came to nothing. What was paid by
 * card has its words where it is settled, what is paid otherwise where it is told how.
 */
export const tellParentOfOutcome = (queue: PaymentsNeeds['queue']): Reactor => ({
  name: 'tell-parent-of-outcome',
  types: [ordersCreated.type, paymentDeclined.type, paymentExpired.type],
  react: async (event) => {
    const read = readAttemptEvent(event)
    if (!read) return
    const about = read.type === ordersCreated.type ? ('ordered' as const) : ('failed' as const)
    await queue.enqueue(tellOutcomeJob, { attemptId: read.data.attemptId, about }, { id: `tell-${event.id}` })
  },
})

type Needs = Pick<PaymentsNeeds, 'eventStore' | 'identity' | 'now' | 'ordering' | 'zone'>

/** Safe to repeat. A payment that has arrived after all is told nothing of here. */
export const tellOutcomeWork = (needs: Needs): JobWork =>
  work(tellOutcomeJob, async ({ attemptId, about }) => {
    const { attempt } = await knownAttempt(needs, attemptId)
    const { userId, kind } = attempt.checkout
    if (about === 'failed') {
      const message = failedMail(attempt)
      if (message) await needs.identity.messageUser(userId, message, `payment-failed-${attemptId}`)
      return
    }
    if (kind !== 'free') return
    const orderIds = ordersOf(attempt).map(({ orderId }) => orderId)
    const orders = await needs.ordering.orderReplies(orderIds, needs.now())
    const message = orderedMail(attempt, orders, needs.zone, null)
    if (message) await needs.identity.messageUser(userId, message, `payment-ordered-${attemptId}`)
  })
