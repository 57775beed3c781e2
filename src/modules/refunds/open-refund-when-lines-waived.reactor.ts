import { mismatchAccepted, remainderWaived } from '#modules/payments/published'
import { eventReader } from '#kernel/event'
import type { JobQueue } from '#platform/jobs/job'
import type { Reactor } from '#platform/module'
import { openAttemptRefundsJob } from './attempt-refunds.job'

const read = eventReader(remainderWaived, mismatchAccepted)

/** Lines that were given up, and what was accepted as paid too much. */
export const openRefundWhenLinesWaived = (queue: Pick<JobQueue, 'enqueue'>): Reactor => ({
  name: 'open-refund-when-lines-waived',
  types: [remainderWaived.type, mismatchAccepted.type],
  react: async (event) => {
    const heard = read(event)
    if (!heard) return
    const payload = { attemptId: heard.data.attemptId, eventId: event.id }
    await queue.enqueue(openAttemptRefundsJob, payload, { id: `open-${event.id}` })
  },
})
