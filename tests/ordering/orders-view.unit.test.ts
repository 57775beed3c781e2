import { cycleOrder } from '#contracts/order-reports'
import { orderStatuses } from '#contracts/ordering'
import { smsText } from '#modules/messaging/letters'
import { changesFrom, decideBatch } from '#modules/ordering/orders/order-batch.decide'
import { ordersView } from '#modules/ordering/orders/orders.view'
import { openDaysOf, openToAny, reminder, weekToRemindOf } from '#modules/ordering/reminders/reminder.decide'
import { cycleOrderReply } from '#modules/ordering/reports/cycle-history.routes'
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
import type { SlotEvent } from '#modules/ordering/slot/meal-slot'
import { mealSlot } from '#modules/ordering/slot/meal-slot.decide'
import { fold } from '../support/given-when-then'
import { viewSpec } from '../support/view-spec'
import { after, attempt, cutoffOf, mary, monday7, ordered, otherAttempt, tuesdayPlace } from './lunches'
import { changedToStew, movedToThursday, orderFrom } from './slot-words'

describe('orders view', () => {
  const view = viewSpec(ordersView)
  const first = '118.2026-09-15.1'
  const at = after(monday7, 5).toISOString()

  const placedRow = {
    id: first,
    kitchen_id: first,
    attempt_id: attempt,
    line: 0,
    user_id: mary,
    student_id: 118,
    student_name: 'Chanda',
    student_grade: '4',
    student_class: null,
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
    sponsor: null,
    status: 'pending',
    completed_by: null,
    payment_status: 'confirmed',
    paid_by_hand: false,
    proof: 'provider',
    pay_by: null,
    placed_at: monday7.toISOString(),
    cancelled_late: false,
    remedy: null,
    closure_id: null,
    cutoff_at: '2026-09-15T06:00:00.000Z',
    late: false,
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
    noticed_kind: null,
    noticed_mark: null,
    noticed_at: null,
    substituted: false,
    acknowledged: false,
  }
  const placed = ordered(1, monday7)
  const completed = orderCompleted({ orderId: first, at })
  const reopened = orderReopened({ orderId: first, at })
  const cancelled = (afterCutoff: boolean) =>
    orderCancelled({ orderId: first, by: 'parent', afterCutoff, at })

  test('a lunch ordered is a row', () => view.given(placed).thenRows([placedRow]))

  test('completed and reopened', () => {
    view
      .given(placed, completed)
      .thenRow(first, { ...placedRow, status: 'completed', completed_by: 'kitchen' })
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
    const unpaidRow = { ...placedRow, payment_status: 'pending', proof: null }
    view.given(unpaid).thenRow(first, unpaidRow)
    view
      .given(unpaid, orderPaymentConfirmed({ orderId: first, at }))
      .thenRow(first, { ...placedRow, proof: 'statement' })
    const transferId = '0199a000-0000-7000-8000-000000000020'
    view
      .given(
        unpaid,
        orderPaymentConfirmed({ orderId: first, at, transferId }),
        orderPaymentUndone({ orderId: first, transferId, at }),
      )
      .thenRow(first, unpaidRow)
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

  test('moved to another day: it keeps its id, and is there under another', () =>
    view.given(placed, movedToThursday).thenRow(first, {
      ...placedRow,
      kitchen_id: '118.2026-09-17.1',
      day: 4,
      meal_date: '2026-09-17',
      cutoff_at: '2026-09-17T06:00:00.000Z',
      lapses_at: '2026-09-17T06:00:00.000Z',
      changes: 1,
    }))

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
    const second = '118.2026-09-15.2'
    view
      .given(placed, orderWithdrawn({ orderId: first, at }), next)
      .thenRows([{ ...placedRow, id: second, kitchen_id: second, attempt_id: otherAttempt }])
  })

  test('a reservation is no order', () =>
    view
      .given(
        lunchReserved({ ...tuesdayPlace, attemptId: attempt, until: at, at }),
        reservationReleased({ ...tuesdayPlace, attemptId: attempt, at }),
      )
      .thenRows([]))
})

describe('cycle orders', () => {
  const id = '118.2026-09-15.1'
  const at = monday7.toISOString()
  const cancelled = orderCancelled({ orderId: id, by: 'administrator', afterCutoff: false, at })

  const pasts: Record<(typeof orderStatuses)[number], SlotEvent[]> = {
    pending: [ordered(1, monday7)],
    completed: [ordered(1, monday7), orderCompleted({ orderId: id, at })],
    cancelled: [ordered(1, monday7), cancelled],
    refunded: [ordered(1, monday7), cancelled, orderRefunded({ orderId: id, at })],
  }

  describe.each(orderStatuses)('a %s order', (status) => {
    test.each(['completed', 'pending', 'cancelled'] as const)(
      'may become %s exactly where that does something',
      (change) => {
        const slots = new Map([['mealSlot-118.2026-09-15', fold(mealSlot, pasts[status])]])
        const { events } = decideBatch([id], change, slots, monday7)
        expect(changesFrom(status)[change]).toBe(events.size === 1)
      },
    )

    test('owes its price when it is cancelled only while it is active', () => {
      const reply = cycleOrderReply(orderFrom(pasts[status], id)!, '2026-09-14')
      const active = status === 'pending' || status === 'completed'
      expect(reply).toMatchObject({ status, owedIfCancelled: active ? 45.5 : 0 })
      expect(cycleOrder.parse(reply)).toEqual(reply)
    })
  })

  test('an order that nobody has paid owes nothing', () => {
    const unpaid = orderFrom([ordered(1, monday7, { paymentStatus: 'pending' })], id)!
    expect(cycleOrderReply(unpaid, null)).toMatchObject({
      paymentStatus: 'pending',
      owedIfCancelled: 0,
      cycle: { startDate: null },
    })
  })
})

const zone = 'Africa/Lusaka'

test.each([
  ['2026-09-16T17:00:00+02:00', null],
  ['2026-09-17T16:59:59+02:00', null],
  ['2026-09-17T17:00:00+02:00', '2026-09-21'],
  ['2026-09-18T16:59:59+02:00', '2026-09-21'],
  ['2026-09-18T17:00:00+02:00', null],
  ['2026-09-20T17:00:00+02:00', null],
])('at %s families are reminded of the week of %s', (at, week) =>
  expect(weekToRemindOf(new Date(at), zone)).toBe(week),
)

describe('the open days of next week', () => {
  const now = new Date('2026-09-17T17:00:00+02:00')
  const cycle = { id: 1, startDate: '2026-09-14', cycleLength: 2, blockedDays: [{ week: 2, day: 1 }] }
  const open = (more: object) => openDaysOf('2026-09-21', { cycle: { ...cycle, ...more }, cutoffOf }, now)

  test('are those of the cycle that are not closed', () =>
    expect(open({})).toEqual(['2026-09-22', '2026-09-23', '2026-09-24', '2026-09-25']))

  test('are those whose cutoff lies ahead', () => {
    const thursdayAfternoon = (date: string) =>
      new Date(date < '2026-09-24' ? '2026-09-17T16:00:00+02:00' : '2026-09-22T16:00:00+02:00')
    const closingEarly = { cycle: { ...cycle, blockedDays: [] }, cutoffOf: thursdayAfternoon }
    expect(openDaysOf('2026-09-21', closingEarly, now)).toEqual(['2026-09-24', '2026-09-25'])
  })

  test('are those on which a dish is before its own cutoff', () => {
    const early = (date: string, leadDays = 0) =>
      new Date(`2026-09-${Number(date.slice(8)) - leadDays - 1}T08:00Z`)
    const dish = { weekNumbers: [2], daysOfWeek: [2, 3, 4], leadDays: 5, isAvailable: true }
    const week = { cycle, cutoffOf: early }
    const daysWith = (...menu: (typeof dish)[]) => openDaysOf('2026-09-21', week, now, menu)
    expect(daysWith(dish)).toEqual(['2026-09-24', '2026-09-25'])
    const other = { ...dish, daysOfWeek: [2], leadDays: 0 }
    expect(daysWith(dish, other)).toEqual(['2026-09-22', '2026-09-24', '2026-09-25'])
    expect(daysWith(dish, { ...other, isAvailable: false })).toEqual(['2026-09-24', '2026-09-25'])
  })

  test('are those that are not closed for every child of the family', () => {
    const some = { grades: [], classes: ['9A'], reason: 'Trip' }
    const closures = [
      { ...some, date: '2026-09-22' },
      { ...some, date: '2026-09-23', grades: ['4'] },
    ]
    const days = ['2026-09-22', '2026-09-23', '2026-09-24']
    const [inClass, other] = [
      { grade: '9', class: '9A' },
      { grade: '4', class: null },
    ]
    expect(openToAny(days, closures, [inClass])).toEqual(['2026-09-24'])
    expect(openToAny(days, closures, [inClass, other])).toEqual(['2026-09-22', '2026-09-24'])
    expect(openToAny(days, closures, [])).toEqual([])
  })

  test('are none after the cycle, before it, and without one', () => {
    expect(open({ cycleLength: 1 })).toEqual([])
    expect(open({ startDate: '2026-09-28' })).toEqual([])
    expect(openDaysOf('2026-09-21', { cycle: null, cutoffOf }, now)).toEqual([])
  })
})

test('a reminder fits one SMS with its link', () => {
  const stopLink = 'https://lunch.school.example/stop/1a.0123456789abcdef'
  const { subject, short = '' } = reminder('2026-09-21', stopLink)
  expect(subject).toBe('No lunch ordered for next week')
  const text = smsText({ schoolName: 'Baobab School', short, publicUrl: 'https://lunch.school.example' })
  expect(text).toMatch(/stop\/1a\.0123456789abcdef/)
})
