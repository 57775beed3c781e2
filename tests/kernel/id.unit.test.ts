import * as fc from 'fast-check'
import { lunchId, orderId, orderIdOf, parseOrderId, slotKey } from '#kernel/id'
import { addDays } from '#kernel/school-time'

fc.configureGlobal({ seed: 20260914 })

const slot = { cycleId: 7, studentId: 118, week: 2, day: 4 }
const lunch = { studentId: 118, date: '2026-09-24' }

test('an order is named by its lunch and a running number', () => {
  expect(lunchId(lunch)).toBe('118.2026-09-24')
  expect(orderIdOf(lunch, 1)).toBe('118.2026-09-24.1')
  expect(parseOrderId('118.2026-09-24.1')).toEqual({ lunch, number: 1 })
})

test('an order id read and written again is the same id', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 999_999_999 }),
      fc.integer({ min: 0, max: 5_000 }),
      fc.integer({ min: 1, max: 999_999 }),
      (studentId, days, number) => {
        const date = addDays('2026-09-14', days)
        const id = orderIdOf({ studentId, date }, number)
        expect(orderId.safeParse(id).success).toBe(true)
        expect(parseOrderId(id)).toEqual({ lunch: { studentId, date }, number })
      },
    ),
  )
})

test.each([
  '',
  '118.2026-09-24',
  '118.2026-9-24.1',
  '118.2026-09-24.1.1',
  '118.2026-09-24.-1',
  '118.2026-09-24.1 ',
  '1234567890.2026-09-24.1',
  '118.2026-09-24.x',
  '7.118.2.4.1',
])('%j is no order id', (text) => {
  expect(parseOrderId(text)).toBeNull()
  expect(orderId.safeParse(text).success).toBe(false)
})

test.each(['0118.2026-09-24.1', '118.2026-09-24.01', '0.2026-09-24.1', '118.2026-09-24.0'])(
  '%j is no second name of an order',
  (text) => expect(parseOrderId(text)).toBeNull(),
)

test('a date that no calendar has names no lunch', () => {
  expect(parseOrderId('118.2026-02-30.1')).toBeNull()
})

test.each([{ week: 7 }, { day: 0 }, { studentId: 0 }, { cycleId: 1.5 }])('a slot has no %j', (wrong) => {
  expect(slotKey.safeParse({ ...slot, ...wrong }).success).toBe(false)
})
