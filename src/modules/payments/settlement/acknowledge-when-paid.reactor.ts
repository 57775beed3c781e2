import type { JobQueue } from '#platform/jobs/job'
import type { Reactor } from '#platform/module'
import { mismatchAccepted, paymentVerified, readAttemptEvent } from '../attempt/events'
import { acknowledgeJob } from './settle-payment.job'

export const acknowledgeWhenPaid = (queue: Pick<JobQueue, 'enqueue'>): Reactor => ({
  name: 'acknowledge-when-paid',
  types: [paymentVerified.type, mismatchAccepted.type],
  react: async (event) => {
    const attemptId = readAttemptEvent(event)?.data.attemptId
    if (attemptId) await queue.enqueue(acknowledgeJob, { attemptId }, { id: `acknowledge-${event.id}` })
  },
})
