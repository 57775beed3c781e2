import { cycleChangesView } from '#modules/ordering/reports/cycle-changes.view'
import {
  lunchReserved,
  orderCancelled,
  orderCompleted,
  orderPaymentConfirmed,
  orderRefunded,
  orderReopened,
  orderWithdrawn,
  reservationReleased,
} from '#modules/ordering/slot/meal-slot'
import { ordersView } from '#modules/ordering/orders/orders.view'
import { viewSpec } from '../support/view-spec'
import { attempt, monday7, ordered, tuesday } from './lunches'

const view = viewSpec(cycleChangesView)
const at = monday7.toISOString()
const orderId = '7.118.1.2.1'
const place = (number: number) => String(number).padStart(20, '0')
const placed = ordered(1, monday7)

test('a lunch ordered marks its cycle with where that stands', () =>
  view.given(placed).thenRows([{ cycle_id: 7, position: place(1) }]))

test.each([
  orderCompleted({ orderId, at }),
  orderReopened({ orderId, at }),
  orderCancelled({ orderId, by: 'parent', afterCutoff: false, at }),
  orderWithdrawn({ orderId, at }),
  orderRefunded({ orderId, at }),
  orderPaymentConfirmed({ orderId, at }),
])('so does everything that happens to an order: $type', (event) =>
  view.given(placed, event).thenRows([{ cycle_id: 7, position: place(2) }]),
)

test('each cycle has its own', () =>
  view
    .given(placed, orderCompleted({ orderId: '12.118.1.2.1', at }), orderCompleted({ orderId, at }))
    .thenRows([
      { cycle_id: 12, position: place(2) },
      { cycle_id: 7, position: place(3) },
    ]))

test('a reservation changes no order', () =>
  view
    .given(
      lunchReserved({ slot: tuesday, attemptId: attempt, until: at, at }),
      reservationReleased({ slot: tuesday, attemptId: attempt, at }),
    )
    .thenRows([]))

test('whatever the orders are made of is heard', () => {
  expect(cycleChangesView.events).toEqual(ordersView.events)
})
