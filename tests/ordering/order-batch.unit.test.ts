import { fold } from '../support/given-when-then'
import { orderCancelled, orderPaymentConfirmed, orderReopened } from '#modules/ordering/slot/events'
import { mealSlot } from '#modules/ordering/slot/meal-slot.decide'
import { decideBatch } from '#modules/ordering/orders/order-batch.decide'
import { after, attempt, monday7, ordered, otherAttempt } from './lunches'
import { payFor, transferId } from './slot-words'

const [first, second] = ['118.2026-09-15.1', '118.2026-09-15.2']
const at = monday7.toISOString()
const cancelled = orderCancelled({ orderId: first, by: 'parent', afterCutoff: false, at })

test('orders of one slot are judged one after another', () => {
  const past = [ordered(1, monday7), cancelled, ordered(2, monday7, { attemptId: otherAttempt })]
  const slots = new Map([['mealSlot-118.2026-09-15', fold(mealSlot, past)]])
  const { events, skipped } = decideBatch([second, first], 'cancelled', slots, after(monday7, 1))
  expect([...events.values()].flat().map(({ data }) => data)).toMatchObject([{ orderId: second }])
  expect(skipped).toEqual([])

  const reopening = decideBatch([first, second], 'pending', slots, after(monday7, 1))
  expect(reopening.events.size).toBe(0)
  expect(reopening.skipped.map(({ id, code }) => [id, code])).toEqual([[first, 'slot_taken']])
})

test('what an earlier order of the batch did is seen by the next', () => {
  const both = [
    ordered(1, monday7, { attemptId: attempt }),
    cancelled,
    ordered(2, monday7, { attemptId: otherAttempt }),
    orderCancelled({ orderId: second, by: 'parent', afterCutoff: false, at }),
  ]
  const slots = new Map([['mealSlot-118.2026-09-15', fold(mealSlot, both)]])
  const { events, skipped } = decideBatch([second, first], 'pending', slots, monday7)
  expect(events.get('mealSlot-118.2026-09-15')).toEqual([orderReopened({ orderId: second, at })])
  expect(skipped.map(({ id, code }) => [id, code])).toEqual([[first, 'slot_taken']])
})

test('orders are marked paid, each judged by itself', () => {
  const past = [
    ordered(1, monday7),
    cancelled,
    ordered(2, monday7, { attemptId: otherAttempt, paymentStatus: 'pending' }),
  ]
  const slots = new Map([['mealSlot-118.2026-09-15', fold(mealSlot, past)]])
  const paid = decideBatch([first, second], payFor([first, second]), slots, monday7)
  expect(paid.events.get('mealSlot-118.2026-09-15')).toEqual([
    orderPaymentConfirmed({ orderId: second, at, transferId }),
  ])
  expect(paid.skipped.map(({ id, code }) => [id, code])).toEqual([[first, 'already_cancelled']])
})
