import type { Pool } from 'pg'
import { z } from 'zod'
import { orderId } from '#kernel/id'
import { job, work } from '#platform/jobs/job'
import type { Sweep } from '#platform/module'
import { ordersOwedInFull } from './refunds.rows'
import { settleRefund } from './settle-refund.commands'
import type { SettleNeeds } from './settle-refund.commands'

export const settleRefundJob = job({
  name: 'settle-refund',
  payload: z.object({ orderId, eventId: z.uuid() }),
  attempts: 10,
  backoffMs: 1000,
})

export const settleRefundWork = (needs: SettleNeeds) =>
  work(settleRefundJob, ({ orderId: id, eventId }) =>
    settleRefund(needs)(id, { actor: 'job:settle-refund', correlationId: eventId }),
  )

export type SweepNeeds = SettleNeeds & {
  database: { pool: Pool }
  /** All cancelled orders that had been paid for and are not marked refunded. */
  cancelledPaidOrders: () => Promise<readonly string[]>
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

const unsettledOrders = async (needs: SweepNeeds): Promise<string[]> => {
  const [cancelled, owed] = await Promise.all([
    needs.cancelledPaidOrders(),
    ordersOwedInFull(needs.database.pool),
  ])
  const isCancelled = new Set(cancelled)
  const isOwed = new Set(owed)
  return [...cancelled.filter((id) => !isOwed.has(id)), ...owed.filter((id) => !isCancelled.has(id))]
}
