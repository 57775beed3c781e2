import type { JobQueue } from '#platform/jobs/job'
import type { Reactor } from '#platform/module'
import { linesBlocked, ordersCreated, readAttemptEvent, remainderWaived } from './attempt-events'
import { mailParentJob } from './mail-parent.job'

export const mailParentWhenSettled = (queue: Pick<JobQueue, 'enqueue'>): Reactor => ({
  name: 'mail-parent-when-settled',
  types: [ordersCreated.type, linesBlocked.type, remainderWaived.type],
  react: async (event) => {
    const attemptId = readAttemptEvent(event)?.data.attemptId
    if (!attemptId) return
    const about = event.type === ordersCreated.type ? 'ordered' : 'attention'
    await queue.enqueue(
      mailParentJob,
      { attemptId, about, eventId: event.id },
      { id: `mail-payment-${event.id}` },
    )
  },
})
