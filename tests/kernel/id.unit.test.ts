import * as fc from 'fast-check'
import { orderId, orderIdOf, parseOrderId, slotId, slotKey } from '#kernel/id'

fc.configureGlobal({ seed: 20260914 })

const slot = { cycleId: 7, studentId: 118, week: 2, day: 4 }

test('an order is named by its slot and a running number', () => {
  expect(slotId(slot)).toBe('7.118.2.4')
  expect(orderIdOf(slot, 1)).toBe('7.118.2.4.1')
  expect(parseOrderId('7.118.2.4.1')).toEqual({ slot, number: 1 })
})

test('an order id read and written again is the same id', () => {
  const row = fc.integer({ min: 1, max: 999_999_999 })
  fc.assert(
    fc.property(
      row,
      row,
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 999_999 }),
      (cycleId, studentId, week, day, number) => {
        const id = orderIdOf({ cycleId, studentId, week, day }, number)
        expect(orderId.safeParse(id).success).toBe(true)
        expect(parseOrderId(id)).toEqual({ slot: { cycleId, studentId, week, day }, number })
      },
    ),
  )
})

test.each([
  '',
  '7.118.2.4',
  '7.118.7.4.1',
  '7.118.2.6.1',
  '7.118.0.4.1',
  '7.118.2.4.1.1',
  '7.118.2.4.-1',
  '7.118.2.4.1 ',
  '1234567890.118.2.4.1',
  '7.118.2.4.x',
])('%j is no order id', (text) => {
  expect(parseOrderId(text)).toBeNull()
  expect(orderId.safeParse(text).success).toBe(false)
})

test.each(['07.118.2.4.1', '7.0118.2.4.1', '7.118.2.4.01', '0.118.2.4.1', '7.0.2.4.1', '7.118.2.4.0'])(
  '%j is no second name of an order',
  (text) => expect(parseOrderId(text)).toBeNull(),
)

test.each([{ week: 7 }, { day: 0 }, { studentId: 0 }, { cycleId: 1.5 }])('a slot has no %j', (wrong) => {
  expect(slotKey.safeParse({ ...slot, ...wrong }).success).toBe(false)
})
