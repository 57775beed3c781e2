import { orderCancelled, orderReopened } from '#modules/ordering/published'
import { mismatchAccepted, remainderWaived } from '#modules/payments/published'
import { eventReader } from '#kernel/event'
import type { Reactor } from '#platform/module'
import type { RefundsNeeds } from './needs'
import { settleRefundJob } from './settle-refund.job'

const heard = [orderCancelled, orderReopened, remainderWaived, mismatchAccepted] as const
const read = eventReader(...heard)

/** An order that was cancelled or reopened, lines of an attempt that were given up, and what was paid too much. */
export const settleRefundWhenOwedMoneyChanges = (queue: RefundsNeeds['queue']): Reactor => ({
  name: 'settle-refund-when-owed-money-changes',
  types: heard.map(({ type }) => type),
  react: async ({ id: eventId, ...stored }) => {
    const event = read(stored)
    if (!event) return
    const payload =
      'orderId' in event.data
        ? { orderId: event.data.orderId, eventId }
        : { attemptId: event.data.attemptId, eventId }
    await queue.enqueue(settleRefundJob, payload, { id: `settle-${eventId}` })
  },
})
