import {
  lunchReserved,
  orderCancelled,
  orderCompleted,
  orderPaymentConfirmed,
  orderRefunded,
  orderReopened,
  orderWithdrawn,
  reservationReleased,
} from '#modules/ordering/meal-slot'
import { mealSlot } from '#modules/ordering/meal-slot.decide'
import type { SlotCommand } from '#modules/ordering/meal-slot.decide'
import { specificationOf } from '../support/given-when-then'
import { after, attempt, mary, monday7, ordered, otherAttempt, tuesday, tuesdayMeal } from './lunches'

const slot = specificationOf(mealSlot)
const first = '7.118.1.2.1'
const iso = (minutes: number) => after(monday7, minutes).toISOString()

const reserved = (untilMinute: number, attemptId = attempt) =>
  lunchReserved({ slot: tuesday, attemptId, until: iso(untilMinute), at: iso(0) })
const completed = (at = 1) => orderCompleted({ orderId: first, at: iso(at) })
const cancelled = (orderId = first, at = 1) =>
  orderCancelled({ orderId, by: 'parent', afterCutoff: false, at: iso(at) })
const withdrawn = (orderId = first, at = 1) => orderWithdrawn({ orderId, at: iso(at) })
const refunded = (at = 2) => orderRefunded({ orderId: first, at: iso(at) })

const order = (minute: number, attemptId = attempt): SlotCommand => ({
  kind: 'order',
  attemptId,
  userId: mary,
  line: tuesdayMeal,
  paymentStatus: 'confirmed',
  now: after(monday7, minute),
})
const reserve = (minute: number, untilMinute: number, attemptId = attempt): SlotCommand => ({
  kind: 'reserve',
  slot: tuesday,
  attemptId,
  until: iso(untilMinute),
  now: after(monday7, minute),
})
const release = (attemptId = attempt): SlotCommand => ({
  kind: 'release',
  slot: tuesday,
  attemptId,
  now: after(monday7, 5),
})
const withdraw = (attemptId = attempt): SlotCommand => ({
  kind: 'withdraw',
  attemptId,
  now: after(monday7, 1),
})
const onOrder = (
  kind: 'complete' | 'reopen' | 'confirm-payment' | 'refund',
  orderId = first,
  minute = 1,
): SlotCommand => ({ kind, orderId, now: after(monday7, minute) })
const parentCancels = (now: Date, userId = mary, orderId = first): SlotCommand => ({
  kind: 'cancel',
  orderId,
  by: { role: 'parent', userId },
  now,
})
const officeCancels = (now: Date): SlotCommand => ({
  kind: 'cancel',
  orderId: first,
  by: { role: 'administrator' },
  now,
})

describe('reserving a day while it is paid for', () => {
  test('a free day is reserved', () => slot.given().when(reserve(0, 30)).then(reserved(30)))
  test('a longer wish of the same attempt renews the reservation', () =>
    slot
      .given(reserved(30))
      .when(reserve(1, 40))
      .then(lunchReserved({ slot: tuesday, attemptId: attempt, until: iso(40), at: iso(1) })))
  test('asking again for what is already held changes nothing', () =>
    slot.given(reserved(30)).when(reserve(1, 30)).nothingHappens())
  test("another attempt's reservation stands in the way", () =>
    slot.given(reserved(30, otherAttempt)).when(reserve(29, 60)).refused('day_reserved'))
  test("another attempt's reservation that has run out counts as free", () =>
    slot
      .given(reserved(30, otherAttempt))
      .when(reserve(30, 60))
      .then(lunchReserved({ slot: tuesday, attemptId: attempt, until: iso(60), at: iso(30) })))
  test('a day with an order cannot be reserved', () =>
    slot
      .given(ordered(1, monday7))
      .when(reserve(1, 30, otherAttempt))
      .refused('already_ordered'))
  test('the attempt whose order it is holds the day already', () =>
    slot.given(ordered(1, monday7)).when(reserve(1, 30)).nothingHappens())
})

describe('releasing a reservation', () => {
  test('the attempt gives its day back', () =>
    slot
      .given(reserved(30))
      .when(release())
      .then(reservationReleased({ slot: tuesday, attemptId: attempt, at: iso(5) })))
  test("another attempt's reservation stays", () =>
    slot.given(reserved(30, otherAttempt)).when(release()).nothingHappens())
  test('a released day is free for the next', () =>
    slot
      .given(
        reserved(30, otherAttempt),
        reservationReleased({ slot: tuesday, attemptId: otherAttempt, at: iso(1) }),
      )
      .when(order(2))
      .then(ordered(1, after(monday7, 2))))
  test('nothing to release', () => slot.given().when(release()).nothingHappens())
  test('an order is not released', () => slot.given(ordered(1, monday7)).when(release()).nothingHappens())
})

describe('ordering', () => {
  test('a free day takes the first order', () => slot.given().when(order(0)).then(ordered(1, monday7)))
  test('the own reservation becomes the order, even after it has run out', () =>
    slot
      .given(reserved(30))
      .when(order(31))
      .then(ordered(1, after(monday7, 31))))
  test("another attempt's reservation stands in the way until it has run out", () => {
    slot.given(reserved(30, otherAttempt)).when(order(29)).refused('day_reserved')
    slot
      .given(reserved(30, otherAttempt))
      .when(order(30))
      .then(ordered(1, after(monday7, 30)))
  })
  test('a second order for the same day is refused', () =>
    slot.given(ordered(1, monday7)).when(order(1, otherAttempt)).refused('already_ordered'))
  test('a completed order holds the day as well', () =>
    slot.given(ordered(1, monday7), completed()).when(order(2, otherAttempt)).refused('already_ordered'))
  test('two lines of one attempt cannot both have the day', () =>
    slot
      .given(ordered(1, monday7, { line: { index: 4 } }))
      .when(order(1))
      .refused('already_ordered'))
  test('the same line asked again is the order it already is', () =>
    slot.given(ordered(1, monday7)).when(order(1)).nothingHappens())
  test('a line whose order was cancelled since is not ordered a second time', () =>
    slot.given(ordered(1, monday7), cancelled()).when(order(2)).nothingHappens())
  test('after a cancellation the next order counts on', () =>
    slot
      .given(ordered(1, monday7), cancelled())
      .when(order(2, otherAttempt))
      .then(ordered(2, after(monday7, 2), { attemptId: otherAttempt })))
  test('a withdrawn order leaves the day free and its number used', () =>
    slot
      .given(ordered(1, monday7), withdrawn())
      .when(order(2, otherAttempt))
      .then(ordered(2, after(monday7, 2), { attemptId: otherAttempt })))
})

describe('withdrawing what a checkout could not complete', () => {
  test("the attempt's order is taken back", () =>
    slot.given(ordered(1, monday7)).when(withdraw()).then(withdrawn()))
  test("another attempt's order stays", () =>
    slot.given(ordered(1, monday7)).when(withdraw(otherAttempt)).nothingHappens())
  test('again changes nothing', () =>
    slot.given(ordered(1, monday7), withdrawn()).when(withdraw()).nothingHappens())
})

describe('cancelling by the parent', () => {
  const cancelledAt = (now: Date, afterCutoff = false) =>
    orderCancelled({ orderId: first, by: 'parent', afterCutoff, at: now.toISOString() })

  test.each([0, 59, 60])('%i minutes after placing it is possible', (minutes) => {
    const now = after(monday7, minutes)
    slot.given(ordered(1, monday7)).when(parentCancels(now)).then(cancelledAt(now))
  })
  test('a millisecond after the hour it is over', () =>
    slot
      .given(ordered(1, monday7))
      .when(parentCancels(after(monday7, 60, 1)))
      .refused('cancel_window_over'))
  test("someone else's order is not found", () =>
    slot.given(ordered(1, monday7)).when(parentCancels(monday7, 99)).refused('order_not_found'))
  test('an order that never was is not found', () =>
    slot
      .given(ordered(1, monday7))
      .when(parentCancels(monday7, mary, '7.118.1.2.2'))
      .refused('order_not_found'))
  test('a withdrawn order is not found', () =>
    slot.given(ordered(1, monday7), withdrawn()).when(parentCancels(monday7)).refused('order_not_found'))
  test('a completed order is not cancelled', () =>
    slot.given(ordered(1, monday7), completed()).when(parentCancels(monday7)).refused('already_completed'))
  test('again changes nothing, also much later', () => {
    const later = after(monday7, 600)
    slot.given(ordered(1, monday7), cancelled()).when(parentCancels(later)).nothingHappens()
    slot.given(ordered(1, monday7), cancelled(), refunded()).when(parentCancels(later)).nothingHappens()
  })
  test("someone else's cancelled order is not found either", () =>
    slot.given(ordered(1, monday7), cancelled()).when(parentCancels(monday7, 99)).refused('order_not_found'))
  test("at the day's cutoff or later it is told as late, before it is not", () => {
    const cutoffAt = new Date(tuesdayMeal.cutoffAt)
    const placed = ordered(1, after(cutoffAt, -30))
    slot
      .given(placed)
      .when(parentCancels(after(cutoffAt, 0, -1)))
      .then(cancelledAt(after(cutoffAt, 0, -1)))
    slot.given(placed).when(parentCancels(cutoffAt)).then(cancelledAt(cutoffAt, true))
  })
})

describe('cancelling by an administrator', () => {
  const cancelledAt = (now: Date, afterCutoff: boolean) =>
    orderCancelled({ orderId: first, by: 'administrator', afterCutoff, at: now.toISOString() })

  test('has no hour', () => {
    const now = after(monday7, 600)
    slot.given(ordered(1, monday7)).when(officeCancels(now)).then(cancelledAt(now, false))
  })
  test('a completed order too, told as late', () => {
    const now = after(monday7, 3000)
    slot.given(ordered(1, monday7), completed()).when(officeCancels(now)).then(cancelledAt(now, true))
  })
  test('again changes nothing', () =>
    slot.given(ordered(1, monday7), cancelled()).when(officeCancels(monday7)).nothingHappens())
})

describe('completing', () => {
  test('a pending order', () => slot.given(ordered(1, monday7)).when(onOrder('complete')).then(completed()))
  test('again changes nothing', () =>
    slot.given(ordered(1, monday7), completed()).when(onOrder('complete')).nothingHappens())
  test('not a cancelled one', () =>
    slot.given(ordered(1, monday7), cancelled()).when(onOrder('complete')).refused('already_cancelled'))
  test('not a refunded one', () =>
    slot
      .given(ordered(1, monday7), cancelled(), refunded())
      .when(onOrder('complete'))
      .refused('already_refunded'))
  test('not one that never was', () => slot.given().when(onOrder('complete')).refused('order_not_found'))
})

describe('reopening', () => {
  const reopened = (minute = 1) => orderReopened({ orderId: first, at: iso(minute) })

  test('a completed order is pending again', () =>
    slot.given(ordered(1, monday7), completed()).when(onOrder('reopen')).then(reopened()))
  test('a pending one stays', () => slot.given(ordered(1, monday7)).when(onOrder('reopen')).nothingHappens())
  test('a cancelled one comes back to its free day', () =>
    slot.given(ordered(1, monday7), cancelled()).when(onOrder('reopen')).then(reopened()))
  test('and can be cancelled again', () =>
    slot
      .given(ordered(1, monday7), cancelled(), reopened())
      .when(parentCancels(after(monday7, 3)))
      .then(cancelled(first, 3)))
  test('not when another order has the day', () =>
    slot
      .given(ordered(1, monday7), cancelled(), ordered(2, monday7, { attemptId: otherAttempt }))
      .when(onOrder('reopen'))
      .refused('slot_taken'))
  test('not while the day is reserved, but after the reservation has run out', () => {
    const past = [ordered(1, monday7), cancelled(), reserved(30, otherAttempt)]
    slot
      .given(...past)
      .when(onOrder('reopen', first, 29))
      .refused('slot_taken')
    slot
      .given(...past)
      .when(onOrder('reopen', first, 30))
      .then(reopened(30))
  })
  test('not when a later order was cancelled since', () =>
    slot
      .given(
        ordered(1, monday7),
        cancelled(),
        ordered(2, monday7, { attemptId: otherAttempt }),
        cancelled('7.118.1.2.2', 2),
      )
      .when(onOrder('reopen'))
      .refused('newer_order'))
  test('a withdrawn one in between does not count', () =>
    slot
      .given(
        ordered(1, monday7),
        cancelled(),
        ordered(2, monday7, { attemptId: otherAttempt }),
        withdrawn('7.118.1.2.2', 2),
      )
      .when(onOrder('reopen'))
      .then(reopened()))
  test('not a refunded one', () =>
    slot
      .given(ordered(1, monday7), cancelled(), refunded())
      .when(onOrder('reopen'))
      .refused('already_refunded'))
  test('not a withdrawn one', () =>
    slot.given(ordered(1, monday7), withdrawn()).when(onOrder('reopen')).refused('order_not_found'))
})

describe('confirming the payment of an alternative order', () => {
  const unpaid = ordered(1, monday7, { paymentStatus: 'pending' })
  const confirmed = orderPaymentConfirmed({ orderId: first, at: iso(1) })

  test('an unpaid order', () => slot.given(unpaid).when(onOrder('confirm-payment')).then(confirmed))
  test('again changes nothing', () =>
    slot.given(unpaid, confirmed).when(onOrder('confirm-payment')).nothingHappens())
  test('a confirmed payment stays with a completed order', () =>
    slot.given(unpaid, confirmed, completed()).when(onOrder('confirm-payment')).nothingHappens())
  test('not of a cancelled order', () =>
    slot.given(unpaid, cancelled()).when(onOrder('confirm-payment')).refused('already_cancelled'))
})

describe('refunding', () => {
  test('a cancelled order', () =>
    slot
      .given(ordered(1, monday7), cancelled())
      .when(onOrder('refund', first, 2))
      .then(refunded()))
  test('again changes nothing', () =>
    slot.given(ordered(1, monday7), cancelled(), refunded()).when(onOrder('refund')).nothingHappens())
  test('not one that is still to be eaten', () =>
    slot.given(ordered(1, monday7)).when(onOrder('refund')).refused('not_cancelled'))
})
