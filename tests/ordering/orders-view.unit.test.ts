import {
  absenceMarked,
  absenceTakenBack,
  lunchReserved,
  orderChanged,
  orderCancelled,
  orderCompleted,
  orderPaymentConfirmed,
  orderPaymentUndone,
  orderRefunded,
  orderReopened,
  orderWithdrawn,
  reservationReleased,
} from '#modules/ordering/slot/events'
import { ordersView } from '#modules/ordering/orders/orders.view'
import { viewSpec } from '../support/view-spec'
import { after, attempt, mary, monday7, ordered, otherAttempt, tuesdayPlace } from './lunches'
import { changedToStew } from './slot-words'

const view = viewSpec(ordersView)
const first = '118.2026-09-15.1'
const at = after(monday7, 5).toISOString()

const placedRow = {
  id: first,
  attempt_id: attempt,
  line: 0,
  user_id: mary,
  student_id: 118,
  student_name: 'Chanda',
  student_grade: '4',
  cycle_id: 7,
  week: 1,
  day: 2,
  meal_date: '2026-09-15',
  item_id: 3,
  item_name: 'Nshima with relish',
  item_type: 'primary',
  category: 'beef',
  side_dish: 'Cabbage',
  comments: 'no salt',
  original_price: 4550,
  price: 4550,
  credit: 0,
  discount_percentage: 0,
  status: 'pending',
  payment_status: 'confirmed',
  paid_by_hand: false,
  pay_by: null,
  placed_at: monday7.toISOString(),
  cancelled_late: false,
  remedy: null,
  closure_id: null,
  lapses_at: '2026-09-15T06:00:00.000Z',
  portion_until: null,
  lapsed: false,
  absent: false,
  absence_credit: 0,
  absence_ended: false,
  absences_told: 0,
  changes: 0,
  given_mark: null,
  given_at: null,
  substituted: false,
  acknowledged: false,
}
const placed = ordered(1, monday7)
const completed = orderCompleted({ orderId: first, at })
const reopened = orderReopened({ orderId: first, at })
const cancelled = (afterCutoff: boolean) => orderCancelled({ orderId: first, by: 'parent', afterCutoff, at })

test('a lunch ordered is a row', () => view.given(placed).thenRows([placedRow]))

test('completed and reopened', () => {
  view.given(placed, completed).thenRow(first, { ...placedRow, status: 'completed' })
  view.given(placed, completed, reopened).thenRow(first, placedRow)
})

test('cancelled in time and late, and reopened', () => {
  const gone = { ...placedRow, status: 'cancelled', remedy: 'refund' }
  view.given(placed, cancelled(false)).thenRow(first, gone)
  view.given(placed, cancelled(true)).thenRow(first, { ...gone, cancelled_late: true })
  view.given(placed, cancelled(true), reopened).thenRow(first, placedRow)
})

test('cancelled with credit as the remedy', () => {
  const closureId = '0199c0de-0000-7000-8000-0000000000c1'
  const credited = orderCancelled({ ...cancelled(false).data, remedy: 'credit', closureId })
  view
    .given(placed, credited)
    .thenRow(first, { ...placedRow, status: 'cancelled', remedy: 'credit', closure_id: closureId })
})

test('refunded keeps when and how it was cancelled', () => {
  view.given(placed, cancelled(true), orderRefunded({ orderId: first, at })).thenRow(first, {
    ...placedRow,
    status: 'refunded',
    cancelled_late: true,
    remedy: 'refund',
  })
})

test('an alternative payment confirmed', () => {
  const unpaid = ordered(1, monday7, { paymentStatus: 'pending' })
  view.given(unpaid).thenRow(first, { ...placedRow, payment_status: 'pending' })
  view.given(unpaid, orderPaymentConfirmed({ orderId: first, at })).thenRow(first, placedRow)
  const transferId = '0199a000-0000-7000-8000-000000000020'
  view
    .given(
      unpaid,
      orderPaymentConfirmed({ orderId: first, at, transferId }),
      orderPaymentUndone({ orderId: first, transferId, at }),
    )
    .thenRow(first, { ...placedRow, payment_status: 'pending' })
})

test('changed to another meal', () =>
  view.given(placed, changedToStew).thenRow(first, {
    ...placedRow,
    item_id: 4,
    item_name: 'Stew',
    item_type: 'secondary',
    category: null,
    side_dish: null,
    comments: '',
    original_price: 3000,
    price: 2700,
    discount_percentage: 10,
    changes: 1,
  }))

test('given another meal by the office', () => {
  const { orderId, changeId, meal, old } = changedToStew.data
  const substituted = orderChanged({ orderId, changeId, by: 'administrator', meal, old, at })
  view
    .given(placed, changedToStew, substituted)
    .thenRow(first, expect.objectContaining({ item_id: 4, substituted: true }) as never)
})

test('absent, and there after all', () => {
  const absent = absenceMarked({ orderId: first, credit: 4550, at })
  const row = { ...placedRow, absences_told: 1 }
  view.given(placed, absent).thenRow(first, { ...row, absent: true, absence_credit: 4550 })
  view
    .given(placed, absent, absenceTakenBack({ orderId: first, at }))
    .thenRow(first, { ...row, absences_told: 2 })
})

test('a withdrawn order has no row, and the next one of its day has', () => {
  const next = ordered(2, monday7, { attemptId: otherAttempt })
  view
    .given(placed, orderWithdrawn({ orderId: first, at }), next)
    .thenRows([{ ...placedRow, id: '118.2026-09-15.2', attempt_id: otherAttempt }])
})

test('a reservation is no order', () =>
  view
    .given(
      lunchReserved({ ...tuesdayPlace, attemptId: attempt, until: at, at }),
      reservationReleased({ ...tuesdayPlace, attemptId: attempt, at }),
    )
    .thenRows([]))
