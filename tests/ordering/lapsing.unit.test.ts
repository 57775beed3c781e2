import { orderCancelled, orderPaymentConfirmed, orderReopened } from '#modules/ordering/slot/events'
import type { SlotCommand } from '#modules/ordering/slot/meal-slot.decide'
import { ordersView } from '#modules/ordering/orders/orders.view'
import { kitchenMealsView } from '#modules/ordering/kitchen/kitchen-changes.view'
import { viewSpec } from '../support/view-spec'
import { after, monday7, ordered, tuesdayMeal } from './lunches'
import { cancelled, changedToStew, completed, first, pays, refunded, slot, withdrawn } from './slot-words'

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
  test('tell the kitchen that it is cancelled', () => {
    viewSpec(kitchenMealsView)
      .given(unpaid(), lapsed())
      .thenRow(first, row({ to_cook: false }))
  })
})
