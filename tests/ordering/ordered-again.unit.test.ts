import { lunchId } from '#kernel/id'
import { lunchOf } from '#kernel/meal-line'
import { Refusal } from '#kernel/refusal'
import { checkedCart, type CartFacts } from '#modules/ordering/cart/cart.decide'
import { reservationReleased } from '#modules/ordering/slot/events'
import type { SlotEvent } from '#modules/ordering/slot/meal-slot'
import { mealSlot } from '#modules/ordering/slot/meal-slot.decide'
import { fold } from '../support/given-when-then'
import {
  monday7,
  ordered,
  otherAttempt,
  schoolFacts,
  tuesdayMeal,
  tuesdayNshima,
  tuesdayPlace,
} from './lunches'
import { cancelled, iso, reserved } from './slot-words'

/** Tuesday's order in a cart, after this was done with Tuesday. */
const checkedAfter = (past: readonly SlotEvent[], facts: Partial<CartFacts> = {}) => {
  const slots = new Map([[lunchId(lunchOf(tuesdayMeal)), fold(mealSlot, past)]])
  return checkedCart([tuesdayNshima], { ...schoolFacts, slots, ...facts })
}
const refusedAfter = (past: readonly SlotEvent[]): Refusal => {
  try {
    checkedAfter(past)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('The cart was accepted')
}
const codeAfter = (past: readonly SlotEvent[]) =>
  (refusedAfter(past).extra.lines as { code: string }[])[0]!.code

const idOf = (number: number) => `118.2026-09-15.${number}`
const times = (count: number, events: (turn: number) => SlotEvent[]) =>
  Array.from({ length: count }, (_, turn) => events(turn + 1)).flat()
const orders = (count: number) =>
  times(count, (turn) => [ordered(turn, monday7, { attemptId: otherAttempt }), cancelled(idOf(turn))])
const givenUpPayments = (count: number) =>
  times(count, () => [
    reserved(30, otherAttempt),
    reservationReleased({ ...tuesdayPlace, attemptId: otherAttempt, at: iso(1) }),
  ])

describe('a lunch that was ordered and cancelled again and again', () => {
  test('30 times is for the office, and child and date are named', () => {
    const message = "Chanda's lunch of 15 September was ordered and cancelled 30 times. Ask the office."
    expect(refusedAfter(orders(30))).toMatchObject({
      code: 'lines_refused',
      status: 409,
      message,
      extra: { lines: [{ index: 0, code: 'too_many_orders', message }] },
    })
  })
  test('payments that were begun and given up are times too', () => {
    expect(codeAfter([...orders(20), ...givenUpPayments(10)])).toBe('too_many_orders')
    expect(codeAfter(givenUpPayments(30))).toBe('too_many_orders')
  })
  test('another payment that waits is not given up for what cannot be ordered', () =>
    expect(codeAfter([...orders(29), reserved(30, otherAttempt)])).toBe('too_many_orders'))
  test('while the 30th order stands, the day has an order', () =>
    expect(codeAfter([...orders(29), ordered(30, monday7, { attemptId: otherAttempt })])).toBe(
      'already_ordered',
    ))
  test.each([
    ['29 orders', orders(29)],
    ['29 orders and payments', [...orders(19), ...givenUpPayments(10)]],
    ['what this very checkout holds', [...orders(29), reserved(30)]],
    [
      '29 orders, each paid for while it was reserved',
      times(29, (turn) => [reserved(30), ordered(turn, monday7), cancelled(idOf(turn))]),
    ],
  ])('it is ordered once more after %s', (_about, past) => expect(checkedAfter(past)).toEqual([tuesdayMeal]))
  test('the office gives it for another paid one all the same', () =>
    expect(checkedAfter(orders(30), { byOffice: true })).toEqual([tuesdayMeal]))
})
