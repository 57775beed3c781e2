import { v4 } from 'uuid'
import {
  absenceMarked,
  absenceTakenBack,
  orderCancelled,
  orderCompleted,
  orderReopened,
  orderWithdrawn,
} from '#modules/ordering/slot/events'
import { kitchenChangesView, kitchenMealsView } from '#modules/ordering/kitchen/kitchen-changes.view'
import { changesOf, touchReader } from '#platform/projections/row-view'
import type { DomainEvent } from '#kernel/event'
import { recorded, recordedEvents } from '../support/recorded-events'
import { viewSpec } from '../support/view-spec'
import { after, monday7, ordered } from './lunches'
import { changedToStew } from './slot-words'

const orderId = '118.2026-09-15.1'
const at = (minutes: number) => after(monday7, minutes).toISOString()
const placed = ordered(1, monday7)
const cancelled = orderCancelled({ orderId, by: 'parent', afterCutoff: false, at: at(2) })
const reopened = orderReopened({ orderId, at: at(3) })
const nshima = { itemId: 3, name: 'Nshima with relish', category: 'beef', sideDish: 'Cabbage' }
const stew = expect.objectContaining({ itemId: 4, name: 'Stew' })

/** The changes that these events make, one after another. */
const changes = (...events: DomainEvent[]) => {
  const touches = touchReader([kitchenChangesView, kitchenMealsView])(
    recordedEvents(...events.map((event) => recorded(event, { id: v4() }))),
  )
  const rows = changesOf(new Map(), touches).find(({ view }) => view === kitchenChangesView)!.written
  return rows.map(({ event_id: _id, position: _position, order_id, date, ...change }) => {
    expect([order_id, date]).toEqual([orderId, '2026-09-15'])
    return change
  })
}
const first = { at: at(0), kind: 'ordered', was: null, is_now: nshima }

test('an order is one to cook', () => {
  expect(changes(placed)).toEqual([first])
  viewSpec(kitchenMealsView)
    .given(placed)
    .thenRows([{ order_id: orderId, date: '2026-09-15', to_cook: true, meal: nshima }])
})
test('a change is named by its event, and knows where that stands in the log', () => {
  const [event] = recordedEvents(placed)
  viewSpec(kitchenChangesView)
    .given(event!)
    .thenRow(event!.id, {
      ...first,
      event_id: event!.id,
      position: event!.position,
      order_id: orderId,
      date: '2026-09-15',
    })
})
test('what is cancelled is none any more, and is one again when it is reopened', () =>
  expect(changes(placed, cancelled, reopened)).toEqual([
    first,
    { at: at(2), kind: 'cancelled', was: nshima, is_now: null },
    { at: at(3), kind: 'ordered', was: null, is_now: nshima },
  ]))
test('what was only marked complete is no change, and neither is taking that back', () =>
  expect(changes(placed, orderCompleted({ orderId, at: at(1) }), reopened)).toEqual([first]))
test('another meal is told as what it was and what it is', () =>
  expect(changes(placed, changedToStew)).toEqual([
    first,
    { at: at(1), kind: 'changed', was: nshima, is_now: stew },
  ]))
test('an absence is told, and when it is taken back', () =>
  expect(
    changes(
      placed,
      absenceMarked({ orderId, credit: 0, at: at(4) }),
      absenceTakenBack({ orderId, at: at(5) }),
    ),
  ).toEqual([
    first,
    { at: at(4), kind: 'absent', was: nshima, is_now: null },
    { at: at(5), kind: 'absent', was: null, is_now: nshima },
  ]))
test('an order that counts as never placed is no meal of the kitchen', () =>
  viewSpec(kitchenMealsView)
    .given(placed, orderWithdrawn({ orderId, at: at(1) }))
    .thenRows([]))
