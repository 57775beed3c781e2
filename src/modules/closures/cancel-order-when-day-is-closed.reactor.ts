import { lunchOrdered, orderReopened } from '#modules/ordering/published'
import { eventReader } from '#kernel/event'
import { parseOrderId } from '#kernel/id'
import type { Reactor } from '#platform/module'
import { cancelOnClosedDayJob } from './carry-out.job'
import type { ClosuresNeeds } from './needs'

const types = [lunchOrdered, orderReopened] as const
const read = eventReader(...types)

/** Catches orders whose checkout saw the day open before it closed. */
export const cancelOrderWhenDayIsClosed = ({ cycles, queue }: ClosuresNeeds): Reactor => ({
  name: 'cancel-order-when-day-is-closed',
  types: types.map(({ type }) => type),
  react: async ({ id: eventId, ...stored }) => {
    const event = read(stored)
    const date = event && parseOrderId(event.data.orderId)?.lunch.date
    if (!event || !date || (await cycles.closureOfDate(date)) === null) return
    const { orderId } = event.data
    await queue.enqueue(cancelOnClosedDayJob, { orderId, eventId }, { id: `closed-day-${eventId}` })
  },
})
