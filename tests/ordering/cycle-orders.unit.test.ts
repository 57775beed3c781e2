import { cycleOrder } from '#contracts/order-reports'
import { orderStatuses } from '#contracts/ordering'
import { fold } from '../support/given-when-then'
import { orderCancelled, orderCompleted, orderRefunded } from '#modules/ordering/slot/events'
import type { SlotEvent } from '#modules/ordering/slot/meal-slot'
import { mealSlot } from '#modules/ordering/slot/meal-slot.decide'
import { orderFrom } from '#modules/ordering/orders/orders.view'
import { changesFrom, decideBatch } from '#modules/ordering/orders/order-batch.decide'
import { cycleOrderReply } from '#modules/ordering/reports/cycle-history.routes'
import { monday7, ordered } from './lunches'

const id = '118.2026-09-15.1'
const at = monday7.toISOString()
const cancelled = orderCancelled({ orderId: id, by: 'administrator', afterCutoff: false, at })

const pasts: Record<(typeof orderStatuses)[number], SlotEvent[]> = {
  pending: [ordered(1, monday7)],
  completed: [ordered(1, monday7), orderCompleted({ orderId: id, at })],
  cancelled: [ordered(1, monday7), cancelled],
  refunded: [ordered(1, monday7), cancelled, orderRefunded({ orderId: id, at })],
}

describe.each(orderStatuses)('a %s order', (status) => {
  test.each(['completed', 'pending', 'cancelled'] as const)(
    'may become %s exactly where that does something',
    (change) => {
      const slots = new Map([['mealSlot-118.2026-09-15', fold(mealSlot, pasts[status])]])
      const { events } = decideBatch([id], change, slots, monday7)
      expect(changesFrom(status)[change]).toBe(events.size === 1)
    },
  )

  test('owes its price when it is cancelled only while it is active', () => {
    const reply = cycleOrderReply(orderFrom(pasts[status], id)!, '2026-09-14')
    const active = status === 'pending' || status === 'completed'
    expect(reply).toMatchObject({ status, owedIfCancelled: active ? 45.5 : 0 })
    expect(cycleOrder.parse(reply)).toEqual(reply)
  })
})

test('an order that nobody has paid owes nothing', () => {
  const unpaid = orderFrom([ordered(1, monday7, { paymentStatus: 'pending' })], id)!
  expect(cycleOrderReply(unpaid, null)).toMatchObject({
    paymentStatus: 'pending',
    owedIfCancelled: 0,
    cycle: { startDate: null },
  })
})
