import { z } from 'zod'
import { orderId } from '#kernel/id'
import { job, work } from '#platform/jobs/job'
import type { Sweep } from '#platform/module'
import type { RefundsNeeds } from './needs'
import { openAttemptRefunds, settleRefund, type SettleNeeds } from './refund.commands'

const eventId = z.uuid()

/** An order has changed, or something was decided about the money of an attempt. */
export const settleRefundJob = job({
  name: 'settle-refund',
  payload: z.union([z.object({ orderId, eventId }), z.object({ attemptId: z.uuid(), eventId })]),
  attempts: 10,
  backoffMs: 1000,
})

export const settleRefundWork = (
  needs: Pick<RefundsNeeds, 'eventStore' | 'now' | 'payments'> & Pick<SettleNeeds, 'ordering'>,
) => {
  const settleOrder = settleRefund(needs)
  const openAttempt = openAttemptRefunds(needs)
  return work(settleRefundJob, (payload) => {
    const by = { actor: 'job:settle-refund', correlationId: payload.eventId }
    return 'orderId' in payload ? settleOrder(payload.orderId, by) : openAttempt(payload.attemptId, by)
  })
}

type SweepNeeds = SettleNeeds & {
  ordering: Pick<RefundsNeeds['ordering'], 'cancelledPaidOrders'>
  /** The orders for which money is owed of which none has gone back yet. */
  ordersOwedInFull: () => Promise<readonly string[]>
}

/** Settles what a lost job left: cancelled orders for which nothing is owed, and refunds of orders that are cooked. */
export const settleRefundsSweep = (needs: SweepNeeds): Sweep => {
  const name = 'settle-refunds'
  const settle = settleRefund(needs)
  return {
    name,
    run: async () => {
      const faults: unknown[] = []
      for (const id of await unsettledOrders(needs))
        await settle(id, { actor: `job:${name}`, correlationId: id }).catch((fault) => faults.push(fault))
      if (faults.length > 0) throw new AggregateError(faults, `${faults.length} refunds could not be settled`)
    },
  }
}

const unsettledOrders = async ({ ordering, ordersOwedInFull }: SweepNeeds): Promise<string[]> => {
  const [cancelled, owed] = await Promise.all([ordering.cancelledPaidOrders(), ordersOwedInFull()])
  const isCancelled = new Set(cancelled)
  const isOwed = new Set(owed)
  return [...cancelled.filter((id) => !isOwed.has(id)), ...owed.filter((id) => !isCancelled.has(id))]
}
