import type { JobQueue } from '#platform/jobs/job'
import type { Reactor } from '#platform/module'
import { mismatchAccepted, paymentVerified, readAttemptEvent } from '../attempt/events'
import { fulfilJob } from './settle-payment.job'

/** Also whoever verified it makes the orders at once: this is for when they could not. */
export const fulfilWhenPaid = (queue: Pick<JobQueue, 'enqueue'>): Reactor => ({
  name: 'fulfil-when-paid',
  types: [paymentVerified.type, mismatchAccepted.type],
  react: async (event) => {
    const attemptId = readAttemptEvent(event)?.data.attemptId
    if (attemptId) await queue.enqueue(fulfilJob, { attemptId }, { id: `fulfil-${event.id}` })
  },
})
