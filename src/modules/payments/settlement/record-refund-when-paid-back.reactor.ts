import { refundPaidBack } from '#modules/refunds/published'
import { eventReader } from '#kernel/event'
import type { JobQueue } from '#platform/jobs/job'
import type { Reactor } from '#platform/module'
import { recordRefundJob } from './record-refund.job'

const read = eventReader(refundPaidBack)

/** Money that never became an order; what an order's refund does is the order's affair. */
export const recordRefundWhenPaidBack = (queue: Pick<JobQueue, 'enqueue'>): Reactor => ({
  name: 'record-refund-when-paid-back',
  types: [refundPaidBack.type],
  react: async (event) => {
    const heard = read(event)
    if (!heard || heard.data.orderId !== null) return
    const { attemptId, part, payoutId, amount } = heard.data
    const payload = { attemptId, part, payoutId, amount }
    await queue.enqueue(recordRefundJob, payload, { id: `record-${event.id}` })
  },
})
