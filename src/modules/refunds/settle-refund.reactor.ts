import { z } from 'zod'
import { creditGiven, creditTakenBack, isOwedForCancelled } from '#modules/credit/published'
import { orderCancelled, orderPaymentUndone, orderReopened } from '#modules/ordering/published'
import { mismatchAccepted, remainderWaived } from '#modules/payments/published'
import { eventReader } from '#kernel/event'
import { orderId } from '#kernel/id'
import { job, work } from '#platform/jobs/job'
import type { Reactor, Sweep } from '#platform/module'
import type { RefundsNeeds } from './needs'
import { openAttemptRefunds, type AttemptRefundsNeeds } from './attempt-refunds.commands'
import { settleRefund, type SettleNeeds } from './refund.commands'

const eventId = z.uuid()

/** An order has changed, or something was decided about the money of an attempt. */
const settleRefundJob = job({
  name: 'settle-refund',
  payload: z.union([z.object({ orderId, eventId }), z.object({ attemptId: z.uuid(), eventId })]),
  attempts: 10,
  backoffMs: 1000,
})

const types = [
  orderCancelled,
  orderReopened,
  orderPaymentUndone,
  creditGiven,
  creditTakenBack,
  remainderWaived,
  mismatchAccepted,
] as const
const read = eventReader(...types)

/**
 * An order that was cancelled or reopened, whose payment was undone, or for which something was given or taken back that lessens what is owed;
 * lines of an attempt that were given up, and what was paid too much.
 */
export const settleRefundWhenOwedMoneyChanges = (queue: RefundsNeeds['queue']): Reactor => ({
  name: 'settle-refund-when-owed-money-changes',
  types: types.map(({ type }) => type),
  react: async ({ id: eventId, ...stored }) => {
    const event = read(stored)
    const about = event && aboutOf(event)
    if (about) await queue.enqueue(settleRefundJob, { ...about, eventId }, { id: `settle-${eventId}` })
  },
})

const aboutOf = ({
  data,
}: NonNullable<ReturnType<typeof read>>): { orderId: string } | { attemptId: string } | null => {
  if (!('entryId' in data))
    return 'orderId' in data ? { orderId: data.orderId } : { attemptId: data.attemptId }
  const { about, entryId } = data
  return about.orderId === null || isOwedForCancelled(entryId) ? null : { orderId: about.orderId }
}

export const settleRefundWork = (needs: AttemptRefundsNeeds & SettleNeeds) => {
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
  // Looked at and as it should be, e.g. paid back in full: looked at again only when it has left the list meanwhile.
  let settled = new Set<string>()
  return {
    name,
    run: async () => {
      const faults: unknown[] = []
      const listed = await unsettledOrders(needs)
      settled = new Set(listed.filter((id) => settled.has(id)))
      for (const id of listed.filter((one) => !settled.has(one)))
        await settle(id, { actor: `job:${name}`, correlationId: id }).then(
          () => settled.add(id),
          (fault) => faults.push(fault),
        )
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
