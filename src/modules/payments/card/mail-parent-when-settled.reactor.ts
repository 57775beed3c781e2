import type { JobQueue } from '#platform/jobs/job'
import type { Reactor } from '#platform/module'
import {
  checkoutStarted,
  linesBlocked,
  ordersCreated,
  readAttemptEvent,
  remainderWaived,
} from '../attempt/events'
import { mailParentJob } from './mail-parent.job'

/** Only a card payment is mailed about. The job would see that too; a checkout that is free spares it the way. */
export const mailParentWhenSettled = (queue: Pick<JobQueue, 'enqueue'>): Reactor => {
  // It begins and ends in one append, so its orders are heard right after its beginning.
  let lastWithoutCard: string | null = null
  return {
    name: 'mail-parent-when-settled',
    types: [checkoutStarted.type, ordersCreated.type, linesBlocked.type, remainderWaived.type],
    react: async (event) => {
      const heard = readAttemptEvent(event)
      if (!heard) return
      const { attemptId } = heard.data
      if (heard.type === checkoutStarted.type) {
        if (heard.data.kind !== 'card') lastWithoutCard = attemptId
        return
      }
      if (attemptId === lastWithoutCard) return
      const about = heard.type === ordersCreated.type ? 'ordered' : 'attention'
      await queue.enqueue(
        mailParentJob,
        { attemptId, about, eventId: event.id },
        { id: `mail-payment-${event.id}` },
      )
    },
  }
}
