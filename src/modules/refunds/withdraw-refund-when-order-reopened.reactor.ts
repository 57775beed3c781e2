import { orderReopened } from '#modules/ordering/published'
import { eventReader } from '#kernel/event'
import type { JobQueue } from '#platform/jobs/job'
import type { Reactor } from '#platform/module'
import { settleRefundJob } from './settle-refund.job'

const read = eventReader(orderReopened)

export const withdrawRefundWhenOrderReopened = (queue: Pick<JobQueue, 'enqueue'>): Reactor => ({
  name: 'withdraw-refund-when-order-reopened',
  types: [orderReopened.type],
  react: async (event) => {
    const heard = read(event)
    if (!heard) return
    const payload = { orderId: heard.data.orderId, eventId: event.id }
    await queue.enqueue(settleRefundJob, payload, { id: `withdraw-${event.id}` })
  },
})
