import { lunchId } from '#kernel/id'
import { lunchOf } from '#kernel/meal-line'
import { Refusal } from '#kernel/refusal'
import { type CartFacts, checkedCart } from '#modules/ordering/cart/cart.decide'
import { decideBatch } from '#modules/ordering/orders/order-batch.decide'
import {
  orderCancelled,
  orderPaymentConfirmed,
  orderPaymentProven,
  orderPaymentUndone,
  orderReopened,
  reservationReleased,
} from '#modules/ordering/slot/events'
import type { SlotEvent } from '#modules/ordering/slot/meal-slot'
import { type SlotCommand, mealSlot } from '#modules/ordering/slot/meal-slot.decide'
import { fold } from '../support/given-when-then'
import {
  after,
  mary,
  monday7,
  ordered,
  otherAttempt,
  tuesdayMeal,
  tuesdayBy,
  schoolFacts,
  tuesdayNshima,
  tuesdayPlace,
  attempt,
} from './lunches'
import {
  slot,
  first,
  iso,
  reserved,
  completed,
  cancelled,
  withdrawn,
  refunded,
  onOrder,
  pays,
  transferId,
  parentCancels,
  officeCancels,
  payFor,
} from './slot-words'

const cancelledByParent = (now: Date, afterCutoff = false) =>
  orderCancelled({ orderId: first, by: 'parent', afterCutoff, at: now.toISOString() })
const cancelledByOffice = (now: Date, afterCutoff: boolean) =>
  orderCancelled({ orderId: first, by: 'administrator', afterCutoff, at: now.toISOString() })
const reopened = (minute = 1) => orderReopened({ orderId: first, at: iso(minute) })

describe('cancelling by the parent', () => {
  test.each([0, 59, 60])('%i minutes after placing it is possible', (minutes) => {
    const now = after(monday7, minutes)
    slot.given(ordered(1, monday7)).when(parentCancels(now)).then(cancelledByParent(now))
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
      .when(parentCancels(monday7, mary, '118.2026-09-15.2'))
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
      .then(cancelledByParent(after(cutoffAt, 0, -1)))
    slot.given(placed).when(parentCancels(cutoffAt)).then(cancelledByParent(cutoffAt, true))
  })
})

const until = (lateRemedy: 'credit' | 'refund') => tuesdayBy({ cancelUntil: 'cutoff', lateRemedy })
const cancelsUntilCutoff = (now: Date, lateRemedy: 'credit' | 'refund' = 'credit') =>
  parentCancels(now, mary, first, until(lateRemedy))
const cancelledFor = (now: Date, remedy: 'credit' | 'refund') =>
  orderCancelled({ orderId: first, by: 'parent', afterCutoff: false, remedy, at: now.toISOString() })

describe('cancelling by the parent until the cutoff', () => {
  const cutoffAt = new Date(tuesdayMeal.cutoffAt)
  const placed = ordered(1, monday7)
  const latest = after(cutoffAt, 0, -1)

  test('within the hour the money goes back as it was paid', () => {
    const now = after(monday7, 60)
    slot.given(placed).when(cancelsUntilCutoff(now)).then(cancelledByParent(now))
  })
  test.each(['credit', 'refund'] as const)('after the hour it goes back as %s', (remedy) => {
    const now = after(monday7, 60, 1)
    slot.given(placed).when(cancelsUntilCutoff(now, remedy)).then(cancelledFor(now, remedy))
    slot.given(placed).when(cancelsUntilCutoff(latest, remedy)).then(cancelledFor(latest, remedy))
  })
  test('at the cutoff it is over', () =>
    slot.given(placed).when(cancelsUntilCutoff(cutoffAt)).refused('cancel_window_over'))
})

describe('cancelling by an administrator', () => {
  test('has no hour', () => {
    const now = after(monday7, 600)
    slot.given(ordered(1, monday7)).when(officeCancels(now)).then(cancelledByOffice(now, false))
  })
  test('a completed order too, told as late', () => {
    const now = after(monday7, 3000)
    slot.given(ordered(1, monday7), completed()).when(officeCancels(now)).then(cancelledByOffice(now, true))
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
        cancelled('118.2026-09-15.2', 2),
      )
      .when(onOrder('reopen'))
      .refused('newer_order'))
  test('a withdrawn one in between does not count', () =>
    slot
      .given(
        ordered(1, monday7),
        cancelled(),
        ordered(2, monday7, { attemptId: otherAttempt }),
        withdrawn('118.2026-09-15.2', 2),
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

const undoes = (transferIds = [transferId]): SlotCommand => ({
  kind: 'undo-payment',
  orderId: first,
  transferIds,
  now: after(monday7, 1),
})

const proves: SlotCommand = {
  kind: 'prove-payment',
  orderId: first,
  transferIds: [transferId],
  now: after(monday7, 1),
}

describe('what proves a payment', () => {
  const unpaid = ordered(1, monday7, { paymentStatus: 'pending' })
  const paidBy = (proof: 'till' | 'not on any statement', byHand = false) =>
    orderPaymentConfirmed({ orderId: first, transferId, ...(byHand && { byHand }), proof, at: iso(1) })
  const proven = orderPaymentProven({ orderId: first, transferId, at: iso(1) })
  const closed: SlotCommand = {
    kind: 'close',
    orderId: first,
    remedy: 'refund',
    closureId: '0199c0de-0000-7000-8000-0000000000d3',
    now: after(monday7, 2),
  }
  const remedyAfter = (...events: SlotEvent[]) =>
    mealSlot
      .decide(closed, fold(mealSlot, [unpaid, ...events]))
      .flatMap((event) => ('remedy' in event.data ? event.data.remedy : []))

  test.each([
    ['cash goes back as was asked', [paidBy('till')], 'refund'],
    ['money on no statement becomes credit', [paidBy('not on any statement')], 'credit'],
    ['without an id too', [paidBy('not on any statement', true)], 'credit'],
    ['once it stands on one it goes back as was asked', [paidBy('not on any statement'), proven], 'refund'],
  ])('%s', (_what, events, remedy) => expect(remedyAfter(...events)).toEqual([remedy]))

  test('a statement proves what stands on none, once', () => {
    slot.given(unpaid, paidBy('not on any statement')).when(proves).then(proven)
    slot.given(unpaid, paidBy('not on any statement'), proven).when(proves).nothingHappens()
    slot.given(unpaid, paidBy('till')).when(proves).nothingHappens()
    slot.given(unpaid).when(proves).nothingHappens()
  })
})

describe('a payment outside of the card provider', () => {
  const unpaid = ordered(1, monday7, { paymentStatus: 'pending' })
  const confirmed = orderPaymentConfirmed({ orderId: first, transferId, at: iso(1) })
  const formerly = orderPaymentConfirmed({ orderId: first, at: iso(1) })
  const lapsed = orderCancelled({ orderId: first, by: 'system', afterCutoff: true, at: iso(1) })
  const undone = orderPaymentUndone({ orderId: first, transferId, at: iso(1) })

  test('of an unpaid order', () => slot.given(unpaid).when(pays()).then(confirmed))
  test('again changes nothing', () => slot.given(unpaid, confirmed).when(pays()).nothingHappens())
  test('stays with a completed order', () =>
    slot.given(unpaid, confirmed, completed()).when(pays()).nothingHappens())
  test('is not made twice', () => {
    const other = pays({ transferIds: [otherAttempt] })
    slot.given(unpaid, confirmed).when(other).refused('already_paid')
    slot.given(unpaid, formerly).when(other).refused('already_paid')
    slot.given(ordered(1, monday7)).when(other).refused('already_paid')
  })
  test('is of what the meal costs', () =>
    slot
      .given(unpaid)
      .when(pays({ amount: 4500 }))
      .refused('price_changed'))
  test('not of a cancelled order, nor of one that was never placed', () => {
    slot
      .given(unpaid, cancelled())
      .when(pays({ restorable: true }))
      .refused('already_cancelled')
    slot.given(unpaid, lapsed).when(pays()).refused('already_cancelled')
    slot.given(unpaid, withdrawn()).when(pays()).refused('order_not_found')
  })
  test('that came before the cutoff places a lapsed order again', () =>
    slot
      .given(unpaid, lapsed)
      .when(pays({ restorable: true }))
      .then(reopened(), confirmed))
  test('places none again whose day went to another order', () => {
    const another = ordered(2, monday7, { attemptId: otherAttempt })
    slot
      .given(unpaid, lapsed, another)
      .when(pays({ restorable: true }))
      .refused('slot_taken')
  })
  test('is undone once, by the transfer that paid', () => {
    slot.given(unpaid, confirmed).when(undoes()).then(undone)
    slot
      .given(unpaid, confirmed)
      .when(undoes([otherAttempt]))
      .nothingHappens()
    slot.given(unpaid, confirmed, undone).when(undoes()).nothingHappens()
    slot.given(unpaid, formerly).when(undoes()).nothingHappens()
  })
  test('is undone of a cancelled order too, and not of a refunded one', () => {
    slot.given(unpaid, confirmed, cancelled()).when(undoes()).then(undone)
    slot.given(unpaid, confirmed, cancelled(), refunded()).when(undoes()).nothingHappens()
  })
  test('that was undone can be made again', () =>
    slot.given(unpaid, confirmed, undone).when(pays()).then(confirmed))
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
  test('not one whose price goes back as credit, until it is cancelled for a refund', () => {
    const asCredit = orderCancelled({ ...cancelled().data, remedy: 'credit' })
    slot.given(ordered(1, monday7), asCredit).when(onOrder('refund')).refused('given_as_credit')
    slot
      .given(ordered(1, monday7), asCredit, reopened(), cancelled())
      .when(onOrder('refund', first, 2))
      .then(refunded())
  })
})

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

describe('order batch', () => {
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
})
