import { z } from 'zod'
import { orderId, parseOrderId } from '#kernel/id'
import { schoolMoment } from '#kernel/school-time'
import { job, work, type JobWork } from '#platform/jobs/job'
import type { Sweep } from '#platform/module'
import { carryOut } from './carry-out.commands'
import { closuresInForce, noteOrders, unfinishedClosures } from './closed-orders.rows'
import { closureOfDate } from './closures.rows'
import type { ClosuresNeeds } from './needs'
import { tellFamilies } from './tell-families.commands'

/** Goes on with what a request began. */
export const carryOutJob = job({
  name: 'carry-out-closure',
  payload: z.object({ closureId: z.uuid() }),
  attempts: 10,
  backoffMs: 1000,
})

/** An order that was placed for a day while it was being closed. */
export const cancelOnClosedDayJob = job({
  name: 'cancel-order-on-closed-day',
  payload: z.object({ orderId, eventId: z.uuid() }),
  attempts: 10,
  backoffMs: 1000,
})

export const closureWorks = (needs: ClosuresNeeds): JobWork[] => [
  work(carryOutJob, ({ closureId }) => finishClosure(needs, closureId)),
  work(cancelOnClosedDayJob, ({ orderId: id }) => cancelOnClosedDay(needs, id)),
]

const finishClosure = async (needs: ClosuresNeeds, closureId: string): Promise<void> => {
  await carryOut(needs)(closureId)
  await tellFamilies(needs)(closureId)
}

/** The order is looked at by the closure of its day, if the day is closed; safe to repeat. */
const cancelOnClosedDay = async (needs: ClosuresNeeds, id: string): Promise<void> => {
  const date = parseOrderId(id)?.lunch.date
  const closureId = date && (await closureOfDate(needs.database.pool)(date))
  const order = closureId && (await needs.ordering.orderFacts(id))
  if (!closureId || !order || order.status !== 'pending') return
  const { userId, price, paymentStatus } = order
  const found = { id, userId, price, isPaid: paymentStatus === 'confirmed' }
  await noteOrders(needs.database.knex, closureId, [found], 'again')
  await finishClosure(needs, closureId)
}

/** Finds what stands on a closed day, and closures whose process died or whose families have not been told. */
export const carryOutSweep = (needs: ClosuresNeeds): Sweep => ({
  name: 'carry-out-closures',
  run: async () => {
    const { knex } = needs.database
    for (const { id, dates } of await closuresInForce(knex, schoolMoment(needs.now(), needs.zone).date)) {
      const standing = await needs.ordering.standingOrders(dates)
      const pending = standing.filter(({ isCompleted }) => !isCompleted)
      await noteOrders(knex, id, pending, 'again')
    }
    const faults: unknown[] = []
    for (const id of await unfinishedClosures(knex))
      await finishClosure(needs, id).catch((fault: unknown) => faults.push(fault))
    if (faults.length > 0) throw new AggregateError(faults, `${faults.length} closures could not be finished`)
  },
})
