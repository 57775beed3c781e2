import { eventReader } from '#kernel/event'
import type { JobQueue } from '#platform/jobs/job'
import type { Reactor } from '#platform/module'
import { mailInstructionsJob } from './mail.job'
import { checkoutStarted } from '../attempt/events'

const read = eventReader(checkoutStarted)

export const mailInstructionsWhenCheckoutStarted = (queue: Pick<JobQueue, 'enqueue'>): Reactor => ({
  name: 'mail-instructions-when-alternative-checkout-started',
  types: [checkoutStarted.type],
  react: async (event) => {
    const heard = read(event)
    if (heard?.data.kind !== 'alternative') return
    const { attemptId } = heard.data
    await queue.enqueue(mailInstructionsJob, { attemptId }, { id: `mail-${event.id}` })
  },
})
