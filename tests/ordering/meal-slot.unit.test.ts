import * as fc from 'fast-check'
import { Refusal } from '#kernel/refusal'
import { ordersView } from '#modules/ordering/orders/orders.view'
import {
  lunchReserved,
  reservationReleased,
  orderCancelled,
  orderPaymentConfirmed,
  orderReopened,
} from '#modules/ordering/slot/events'
import { isMarkEvent } from '#modules/ordering/slot/lunch-marks'
import {
  type MealSlot,
  type SlotEvent,
  evolve,
  freeSlot,
  ordersOf,
  standingOrder,
} from '#modules/ordering/slot/meal-slot'
import { type SlotCommand, mealSlot } from '#modules/ordering/slot/meal-slot.decide'
import { type OrderEvent, type OrderRow, evolveOrder, isListed } from '#modules/ordering/slot/order'
import { tries } from '../support/tries'
import { viewSpec } from '../support/view-spec'
import { tells, undoes } from './hatch-words'
import {
  after,
  attempt,
  monday7,
  ordered,
  otherAttempt,
  tuesdayPlace,
  mary,
  tuesdayMeal,
  tuesdayBy,
} from './lunches'
import {
  slot,
  iso,
  reserved,
  completed,
  cancelled,
  withdrawn,
  order,
  reserve,
  release,
  withdraw,
  pays,
  transferId,
  changedToStew,
  first,
  refunded,
} from './slot-words'

describe('reserving a day while it is paid for', () => {
  test('a free day is reserved', () => slot.given().when(reserve(0, 30)).then(reserved(30)))
  test('a longer wish of the same attempt renews the reservation', () =>
    slot
      .given(reserved(30))
      .when(reserve(1, 40))
      .then(lunchReserved({ ...tuesdayPlace, attemptId: attempt, until: iso(40), at: iso(1) })))
  test('asking again for what is already held changes nothing', () =>
    slot.given(reserved(30)).when(reserve(1, 30)).nothingHappens())
  test("another attempt's reservation stands in the way", () =>
    slot.given(reserved(30, otherAttempt)).when(reserve(29, 60)).refused('day_reserved'))
  test("another attempt's reservation that has run out counts as free", () =>
    slot
      .given(reserved(30, otherAttempt))
      .when(reserve(30, 60))
      .then(lunchReserved({ ...tuesdayPlace, attemptId: attempt, until: iso(60), at: iso(30) })))
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
      .then(reservationReleased({ ...tuesdayPlace, attemptId: attempt, at: iso(5) })))
  test("another attempt's reservation stays", () =>
    slot.given(reserved(30, otherAttempt)).when(release()).nothingHappens())
  test('a released day is free for the next', () =>
    slot
      .given(
        reserved(30, otherAttempt),
        reservationReleased({ ...tuesdayPlace, attemptId: otherAttempt, at: iso(1) }),
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

/** Anything anybody may ask of one slot, at times that jump forwards and back within a few hours. */
const anyCommand: fc.Arbitrary<SlotCommand> = fc
  .record({
    now: fc.integer({ min: 0, max: 300 }).map((minutes) => after(monday7, minutes)),
    attemptId: fc.constantFrom(attempt, otherAttempt),
    index: fc.integer({ min: 0, max: 9 }),
    orderId: fc.integer({ min: 1, max: 6 }).map((number) => `118.2026-09-15.${number}`),
    untilMinute: fc.integer({ min: 0, max: 300 }),
    kind: fc.constantFrom(
      'reserve',
      'release',
      'order',
      'order',
      'withdraw',
      'cancel-own',
      'cancel-any',
      'complete',
      'reopen',
      'confirm-payment',
      'undo-payment',
      'refund',
      'undo-status',
      'given',
      'absent',
      'undone',
    ),
    markNumber: fc.integer({ min: 1, max: 9 }),
    undone: fc.integer({ min: 1, max: 9 }),
  })
  .map(({ kind, now, attemptId, index, orderId, untilMinute, markNumber, undone }): SlotCommand => {
    switch (kind) {
      case 'reserve':
        return { kind, meal: tuesdayMeal, attemptId, until: after(monday7, untilMinute).toISOString(), now }
      case 'release':
        return { kind, meal: tuesdayMeal, attemptId, now }
      case 'order': {
        const line = { ...tuesdayMeal, index }
        return { kind, attemptId, userId: mary, line, paymentStatus: 'pending', now }
      }
      case 'withdraw':
        return { kind, attemptId, now }
      case 'cancel-own':
        return { kind: 'cancel', orderId, by: { role: 'parent', userId: mary, day: tuesdayBy() }, now }
      case 'cancel-any':
        return { kind: 'cancel', orderId, by: { role: 'administrator' }, now }
      case 'confirm-payment':
        return pays({ orderId, restorable: index > 4, now })
      case 'undo-payment':
        return { kind, orderId, transferIds: [transferId], now }
      case 'given':
      case 'absent':
        return tells(kind, markNumber, { orderId })
      case 'undone':
        return undoes(undone, markNumber, { orderId })
      default:
        return { kind, orderId, now } as SlotCommand
    }
  })

const decided = (command: SlotCommand, slot: MealSlot): SlotEvent[] => {
  try {
    return mealSlot.decide(command, slot)
  } catch (error) {
    if (error instanceof Refusal) return []
    throw error
  }
}

const isOrderEvent = (event: SlotEvent): event is OrderEvent => 'orderId' in event.data && !isMarkEvent(event)

/** The rows a projector would keep after these events. */
const rowsAfter = (events: readonly SlotEvent[]): OrderRow[] => {
  const rows = new Map<string, OrderRow>()
  for (const event of events.filter(isOrderEvent)) {
    const row = evolveOrder(rows.get(event.data.orderId) ?? null, event)
    if (row && isListed(row)) rows.set(row.id, row)
    else rows.delete(event.data.orderId)
  }
  return [...rows.values()]
}
const isActive = ({ status }: { status: string }) => status === 'pending' || status === 'completed'

test('whatever is asked, in whatever order: one active order at most, and the list says the same', () => {
  let reached = 0
  fc.assert(
    fc.property(fc.array(anyCommand, { minLength: 1, maxLength: 60, size: 'max' }), (commands) => {
      let slot: MealSlot = freeSlot
      const history: SlotEvent[] = []
      for (const command of commands) {
        const events = decided(command, slot)
        history.push(...events)
        slot = events.reduce(evolve, slot)
        // Asking again for what has just been done changes nothing.
        expect(decided(command, slot)).toEqual([])

        const active = rowsAfter(history).filter(isActive)
        const standing = standingOrder(slot)
        const held = standing ? [[standing.id, standing.status]] : []
        expect(active.map(({ id, status }) => [id, status])).toEqual(held)
        const ids = ordersOf(slot).map(({ id }) => id)
        expect(new Set(ids).size).toBe(ids.length)
        reached = Math.max(reached, ids.length)
      }
    }),
    { numRuns: tries(300), seed: 20_260_914 },
  )
  expect(reached).toBeGreaterThan(3)
})

const cutoffAt = new Date(tuesdayMeal.cutoffAt)
const lapses = (now = cutoffAt): SlotCommand => ({ kind: 'lapse', orderId: first, now })
const lapsed = (now = cutoffAt) =>
  orderCancelled({ orderId: first, by: 'system', afterCutoff: true, at: now.toISOString() })
const paid = orderPaymentConfirmed({ orderId: first, at: cutoffAt.toISOString() })
const reopened = (at: Date) => orderReopened({ orderId: first, at: at.toISOString() })
const unpaid = (line = {}) => ordered(1, monday7, { paymentStatus: 'pending', line })

describe('an unpaid order', () => {
  test('lapses at the cutoff of its day, not a millisecond earlier, and once', () => {
    slot
      .given(unpaid())
      .when(lapses(after(cutoffAt, 0, -1)))
      .nothingHappens()
    slot.given(unpaid()).when(lapses()).then(lapsed())
    slot
      .given(unpaid(), lapsed())
      .when(lapses(after(cutoffAt, 5)))
      .nothingHappens()
  })
  test('lapses also as another meal, at the same cutoff', () =>
    slot.given(unpaid(), changedToStew).when(lapses()).then(lapsed()))
  test('lapses where credit paid a part of it', () =>
    slot
      .given(unpaid({ credit: 1000 }))
      .when(lapses())
      .then(lapsed()))
  test.each([
    ['was paid for', [unpaid(), paid]],
    ['is free', [unpaid({ price: 0 })]],
    ['was paid by credit', [unpaid({ credit: tuesdayMeal.price })]],
    ['was given out', [unpaid(), completed()]],
    ['was cancelled', [unpaid(), cancelled()]],
    ['was refunded', [unpaid(), cancelled(), refunded()]],
  ])('stays when it %s', (_what, past) =>
    slot
      .given(...past)
      .when(lapses())
      .nothingHappens(),
  )
  test('that was never placed is not found', () =>
    slot.given(unpaid(), withdrawn()).when(lapses()).refused('order_not_found'))
  test('is paid for or has lapsed, never both: what comes first counts', () => {
    slot.given(unpaid(), lapsed()).when(pays()).refused('already_cancelled')
    slot.given(unpaid(), paid).when(lapses()).nothingHappens()
  })
  test('that the office places again after its cutoff stays', () =>
    slot
      .given(unpaid(), lapsed(), reopened(after(cutoffAt, 10)))
      .when(lapses(after(cutoffAt, 20)))
      .nothingHappens())
  test('that the office places again before it lapses all the same', () =>
    slot
      .given(unpaid(), cancelled(), reopened(after(cutoffAt, 0, -1)))
      .when(lapses())
      .then(lapsed()))
})

describe('an order of a dish with lead days', () => {
  const own = '2026-09-14T06:00:00.000Z'
  const early = { cutoffAt: own, dayCutoffAt: tuesdayMeal.cutoffAt }
  const between = after(new Date(own), 60)

  test('lapses at its own cutoff', () => {
    slot
      .given(unpaid(early))
      .when(lapses(after(new Date(own), 0, -1)))
      .nothingHappens()
    slot
      .given(unpaid(early))
      .when(lapses(new Date(own)))
      .then(lapsed(new Date(own)))
  })

  test('is cancelled late only after the cutoff of its date', () => {
    const cancel = (now: Date): SlotCommand => ({
      kind: 'cancel',
      orderId: first,
      by: { role: 'administrator' },
      now,
    })
    const gone = (now: Date, afterCutoff: boolean) =>
      orderCancelled({ orderId: first, by: 'administrator', afterCutoff, at: now.toISOString() })
    slot.given(unpaid(early)).when(cancel(between)).then(gone(between, false))
    slot.given(unpaid(early)).when(cancel(cutoffAt)).then(gone(cutoffAt, true))
  })

  test('comes back with a closed day until its own cutoff', () => {
    const closureId = '0192a6b0-0000-7000-8000-0000000000aa'
    const closed = orderCancelled({
      orderId: first,
      by: 'administrator',
      afterCutoff: false,
      closureId,
      at: monday7.toISOString(),
    })
    const restore = (now: Date): SlotCommand => ({
      kind: 'restore',
      orderId: first,
      closureId,
      cutoffAt,
      now,
    })
    slot
      .given(unpaid(early), closed)
      .when(restore(after(new Date(own), 0, -1)))
      .then(reopened(after(new Date(own), 0, -1)))
    slot.given(unpaid(early), closed).when(restore(between)).refused('cutoff_passed')
  })
})

const row = (fields: object) => expect.objectContaining(fields) as Record<string, unknown>

describe('the lists', () => {
  const orders = viewSpec(ordersView)
  test('know when it lapses, that it has, and that it stays once it was placed again', () => {
    orders.given(unpaid()).thenRow(first, row({ lapses_at: tuesdayMeal.cutoffAt, lapsed: false }))
    orders
      .given(unpaid(), lapsed())
      .thenRow(first, row({ status: 'cancelled', lapsed: true, cancelled_late: true }))
    orders.given(unpaid(), cancelled()).thenRow(first, row({ status: 'cancelled', lapsed: false }))
    orders
      .given(unpaid(), lapsed(), reopened(cutoffAt))
      .thenRow(first, row({ status: 'pending', lapses_at: null, lapsed: false }))
    orders
      .given(unpaid(), cancelled(), reopened(monday7))
      .thenRow(first, row({ lapses_at: tuesdayMeal.cutoffAt }))
  })
})
