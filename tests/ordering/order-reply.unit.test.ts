import { placeAmong } from '#modules/ordering/kitchen/kitchen.decide'
import { order as orderContract, type OrderingRules } from '#contracts/ordering'
import { orderCancelled, orderCompleted, orderRefunded } from '#modules/ordering/slot/events'
import type { SlotEvent } from '#modules/ordering/slot/meal-slot'
import { mealSlot } from '#modules/ordering/slot/meal-slot.decide'
import { kitchenOrderReply } from '#modules/ordering/kitchen/kitchen.routes'
import { orderFrom, orderReply } from '#modules/ordering/orders/orders.view'
import { fold } from '../support/given-when-then'
import { Refusal } from '#kernel/refusal'
import { instantAt } from '#kernel/school-time'
import { after, cycle, mary, monday7, ordered, termsWith, tuesdayBy, zone } from './lunches'

const id = '118.2026-09-15.1'
const at = monday7.toISOString()
const noon = instantAt('2026-09-15', 12, 0, zone)
const placed = ordered(1, monday7, { line: { price: 4095, discountPercentage: 10 } })
const completed = orderCompleted({ orderId: id, at })
const cancelled = orderCancelled({ orderId: id, by: 'parent', afterCutoff: true, at })
const refunded = orderRefunded({ orderId: id, at })
const rowOf = (...events: SlotEvent[]) => orderFrom(events, id)!

test('an order as its owner sees it, in kwacha', () => {
  const reply = orderReply(rowOf(placed), monday7, termsWith())
  expect(reply).toEqual({
    id,
    orderDate: at,
    studentId: 118,
    student: { name: 'Chanda', grade: '4' },
    menuItem: { id: 3, name: 'Nshima with relish', type: 'primary' },
    cycleId: 7,
    weekNumber: 1,
    dayOfWeek: 2,
    mealDate: '2026-09-15',
    category: 'beef',
    sideDish: 'Cabbage',
    comments: 'no salt',
    originalPrice: 45.5,
    discountedPrice: 40.95,
    discountPercentage: 10,
    status: 'pending',
    paymentStatus: 'confirmed',
    receiptNumber: null,
    payBy: null,
    absent: false,
    allowed: {
      cancel: true,
      cancelForMs: 3_600_000,
      asPaidForMs: 3_600_000,
      change: true,
      changeForMs: 3_600_000,
      absent: false,
      absentInMs: 17 * 3_600_000,
      absentForMs: 29 * 3_600_000 - 1,
    },
    why: { absent: 'That a child is ill on Tuesday can be said on that day until 12:00' },
    cancellableUntil: after(monday7, 60).toISOString(),
  })
  expect(orderContract.parse(reply)).toEqual(reply)
})

test('an order as the kitchen sees it: not whose and not for how much', () => {
  expect(kitchenOrderReply(rowOf(placed, cancelled), placeAmong(cycle, '2026-09-15'))).toEqual({
    id,
    weekNumber: 1,
    dayOfWeek: 2,
    mealDate: '2026-09-15',
    menuItem: { id: 3, name: 'Nshima with relish', type: 'primary' },
    category: 'beef',
    sideDish: 'Cabbage',
    comments: 'no salt',
    status: 'cancelled',
    paymentStatus: 'confirmed',
    cancelledLate: true,
    absent: false,
  })
})

/** How many events a parent's wish to cancel leads to; a refusal leads to none. */
const cancellations = (past: SlotEvent[], now: Date, rules: Partial<OrderingRules> = {}): number => {
  const by = { role: 'parent', userId: mary, day: tuesdayBy(rules) } as const
  try {
    return mealSlot.decide({ kind: 'cancel', orderId: id, by, now }, fold(mealSlot, past)).length
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal)
    return 0
  }
}

describe('what the reply allows is what the decision allows', () => {
  const cases: [about: string, events: SlotEvent[], now: Date, cancel: boolean][] = [
    ['just placed', [placed], monday7, true],
    ['an hour ago', [placed], after(monday7, 60), true],
    ['more than an hour ago', [placed], after(monday7, 60, 1), false],
    ['completed', [placed, completed], monday7, false],
    ['cancelled', [placed, cancelled], monday7, false],
    ['refunded', [placed, cancelled, refunded], monday7, false],
  ]
  test.each(cases)('%s', (_about, events, now, cancel) => {
    expect(orderReply(rowOf(...events), now, termsWith()).allowed.cancel).toBe(cancel)
    expect(cancellations(events, now)).toBe(cancel ? 1 : 0)
  })
  test.each([
    ['when it was placed', monday7, { cancel: true, cancelForMs: 3_600_000 }],
    ['in the last instant of the hour', after(monday7, 60), { cancel: true, cancelForMs: 0 }],
    ['after the hour', after(monday7, 60, 1), { cancel: false }],
  ])('for how long yet: %s', (_when, now, allowed) => {
    const forMs = 'cancelForMs' in allowed ? allowed.cancelForMs : undefined
    expect(orderReply(rowOf(placed), now, termsWith()).allowed).toEqual({
      ...allowed,
      change: allowed.cancel,
      ...(forMs !== undefined && { changeForMs: forMs, asPaidForMs: forMs }),
      absent: false,
      absentInMs: instantAt('2026-09-15', 0, 0, zone).getTime() - now.getTime(),
      absentForMs: noon.getTime() - 1 - now.getTime(),
    })
  })
})

describe('where families may cancel until the cutoff', () => {
  const rules = { cancelUntil: 'cutoff' } as const
  const terms = termsWith(rules)
  const tuesday8 = after(monday7, 25 * 60)
  const late = ordered(1, after(tuesday8, -10))
  const toCancel = { cancel: true, cancelForMs: 24 * 3_600_000 - 1, asPaidForMs: 0 }
  const cases: [about: string, events: SlotEvent[], now: Date, allowed: object][] = [
    ['after the hour', [placed], after(monday7, 60), toCancel],
    ['just before the cutoff', [placed], after(tuesday8, 0, -1), { cancel: true, cancelForMs: 0 }],
    ['at the cutoff', [placed], tuesday8, { cancel: false }],
    ['within the hour, past the cutoff', [late], tuesday8, { cancel: true, cancelForMs: 3_000_000 }],
    ['completed', [placed, completed], after(monday7, 61), { cancel: false }],
  ]
  test.each(cases)('%s', (_about, events, now, allowed) => {
    const reply = orderReply(rowOf(...events), now, terms)
    expect(reply.allowed).toMatchObject(allowed)
    expect(cancellations(events, now, rules)).toBe(reply.allowed.cancel ? 1 : 0)
  })
  test('no time is told in which the money goes back as it was paid once that is over', () => {
    const told = [after(monday7, 60), after(monday7, 60, 1), after(tuesday8, 0, -1)].map(
      (now) => orderReply(rowOf(placed), now, terms).allowed.asPaidForMs,
    )
    expect(told).toEqual([0, undefined, undefined])
  })
  test('until when, as an instant', () => {
    expect(orderReply(rowOf(placed), monday7, terms).cancellableUntil).toBe(tuesday8.toISOString())
    expect(orderReply(rowOf(late), tuesday8, terms).cancellableUntil).toBe(after(tuesday8, 50).toISOString())
  })
})

describe('why an order cannot be cancelled', () => {
  const hour = 'Orders can only be cancelled within 1 hour of placing the order'
  const cutoff = 'Meals of Tuesday could be cancelled until Tuesday 08:00'
  const wednesday = after(monday7, 2 * 24 * 60)
  test.each([
    ['after the hour', [placed], termsWith(), hour],
    ['after the cutoff', [placed], termsWith({ cancelUntil: 'cutoff' }), cutoff],
    ['completed', [placed, completed], termsWith(), 'This order is already completed'],
    ['cancelled', [placed, cancelled], termsWith(), 'This order is already cancelled'],
  ])('%s', (_about, events, terms, sentence) => {
    expect(orderReply(rowOf(...events), wednesday, terms).why.cancel).toBe(sentence)
  })
})
