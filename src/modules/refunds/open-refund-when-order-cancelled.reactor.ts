import { orderCancelled } from '#modules/ordering/published'
import { eventReader } from '#kernel/event'
import type { JobQueue } from '#platform/jobs/job'
import type { Reactor } from '#platform/module'
import { settleRefundJob } from './settle-refund.job'

const read = eventReader(orderCancelled)

export const openRefundWhenOrderCancelled = (queue: Pick<JobQueue, 'enqueue'>): Reactor => ({
  name: 'open-refund-when-order-cancelled',
  types: [orderCancelled.type],
  react: async (event) => {
    const heard = read(event)
    if (!heard) return
    const payload = { orderId: heard.data.orderId, eventId: event.id }
    await queue.enqueue(settleRefundJob, payload, { id: `open-${event.id}` })
  },
})
