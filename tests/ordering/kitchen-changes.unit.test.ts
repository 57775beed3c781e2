import {
  absenceMarked,
  absenceTakenBack,
  orderCancelled,
  orderCompleted,
  orderReopened,
  orderWithdrawn,
} from '#modules/ordering/slot/events'
import { kitchenChangesView } from '#modules/ordering/kitchen/kitchen-changes.view'
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

const changes = (...events: Parameters<ReturnType<typeof viewSpec>['given']>) =>
  viewSpec(kitchenChangesView).given(...events)
const row = (minutes: number, more: object) => [
  {
    order_id: orderId,
    date: '2026-09-15',
    to_cook: true,
    meal: nshima,
    changed_at: at(minutes),
    ...more,
  },
]
const first = { at: at(0), kind: 'ordered', from: null, to: nshima }

test('an order is one to cook', () => changes(placed).thenRows(row(0, { changes: [first] })))
test('what is cancelled is none any more, and is one again when it is reopened', () =>
  changes(placed, cancelled, reopened).thenRows(
    row(3, {
      changes: [
        first,
        { at: at(2), kind: 'cancelled', from: nshima, to: null },
        { at: at(3), kind: 'ordered', from: null, to: nshima },
      ],
    }),
  ))
test('what was only marked complete is no change, and neither is taking that back', () =>
  changes(placed, orderCompleted({ orderId, at: at(1) }), reopened).thenRows(row(0, { changes: [first] })))
test('another meal is told as what it was and what it is', () =>
  changes(placed, changedToStew).thenRows(
    row(1, { meal: stew, changes: [first, { at: at(1), kind: 'changed', from: nshima, to: stew }] }),
  ))
test('an absence is told, and when it is taken back', () =>
  changes(
    placed,
    absenceMarked({ orderId, credit: 0, at: at(4) }),
    absenceTakenBack({ orderId, at: at(5) }),
  ).thenRows(
    row(5, {
      changes: [
        first,
        { at: at(4), kind: 'absent', from: nshima, to: null },
        { at: at(5), kind: 'absent', from: null, to: nshima },
      ],
    }),
  ))
test('an order that counts as never placed leaves nothing', () =>
  changes(placed, orderWithdrawn({ orderId, at: at(1) })).thenRows([]))
