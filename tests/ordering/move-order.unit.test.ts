import { mealDayOf } from '#modules/ordering/slot/deadlines.decide'
import { absenceMarked, absenceTakenBack, lunchReserved, orderChanged } from '#modules/ordering/slot/events'
import { lunchGiven } from '#modules/ordering/slot/lunch-marks'
import {
  awayOn,
  claimOf,
  dayOfOrder,
  isAway,
  nextOrderId,
  slotConflict,
  type SlotEvent,
} from '#modules/ordering/slot/meal-slot'
import { mealSlot, type SlotCommand } from '#modules/ordering/slot/meal-slot.decide'
import { fold } from '../support/given-when-then'
import {
  after,
  attempt,
  mary,
  monday7,
  ordered,
  otherAttempt,
  termsWith,
  tuesdayBy,
  tuesdayPlace,
} from './lunches'
import {
  cancelled,
  changeId,
  comesOnThursday,
  completed,
  dayOf,
  first,
  iso,
  movedToThursday,
  nshimaMeal,
  order,
  orderFrom,
  parentCancels,
  refunded,
  slot,
  thursdayCloses,
  toThursday,
  withdraw,
  withdrawn,
} from './slot-words'

const untilCutoff = tuesdayBy({ cancelUntil: 'cutoff' })
const moving = { orderId: first, changeId, meal: nshimaMeal, to: toThursday, closes: thursdayCloses }
const familyMoves = (more: Partial<Extract<SlotCommand, { kind: 'move-own' }>> = {}): SlotCommand => ({
  kind: 'move-own',
  ...moving,
  userId: mary,
  day: untilCutoff,
  now: after(monday7, 1),
  ...more,
})
const officeMoves = (more: Partial<Extract<SlotCommand, { kind: 'move' }>> = {}): SlotCommand => ({
  kind: 'move',
  ...moving,
  day: untilCutoff,
  now: after(monday7, 1),
  ...more,
})
const placed = ordered(1, monday7)
const byOffice = orderChanged({ ...movedToThursday.data, by: 'administrator' })
const tuesday = { studentId: 118, date: '2026-09-15' }
const thursday = { studentId: 118, date: '2026-09-17' }

describe('another day', () => {
  test('a family moves it while it may be cancelled', () =>
    slot.given(placed).when(familyMoves()).then(movedToThursday))
  test('the office moves it at any time', () => {
    const now = after(monday7, 26 * 60)
    slot
      .given(placed)
      .when(officeMoves({ now }))
      .then(orderChanged({ ...byOffice.data, at: now.toISOString() }))
  })
  test('to the date that it has, nothing happens', () => {
    const to = { ...toThursday, mealDate: '2026-09-15' }
    slot.given(placed).when(familyMoves({ to })).nothingHappens()
    slot.given(placed).when(officeMoves({ to })).nothingHappens()
    slot.given(placed, movedToThursday).when(familyMoves()).nothingHappens()
  })
  test('a child that was ill on the day left eats on the other', () => {
    const ill = absenceMarked({ orderId: first, credit: 4550, at: iso(1) })
    slot
      .given(placed, ill)
      .when(officeMoves())
      .then(absenceTakenBack({ orderId: first, at: iso(1) }), byOffice)
  })

  const given: SlotEvent = lunchGiven({
    orderId: first,
    userId: mary,
    markId: '0199c0de-0000-7000-8000-0000000000e1',
    by: 7,
    note: null,
    deviceAt: '2026-09-15T10:14:00.000Z',
    at: '2026-09-15T10:14:00.000Z',
  })
  const twenty = Array.from({ length: 20 }, () => movedToThursday)
  const back = { ...toThursday, mealDate: '2026-09-18' }
  const late = ordered(1, monday7, { line: { late: true } })
  const dearer = { meal: { ...nshimaMeal, price: 5000 }, userId: 22, isGuardian: true }
  const refusals: [string, SlotEvent[], SlotCommand, string][] = [
    ['of another family', [placed], familyMoves({ userId: 22 }), 'order_not_found'],
    ['that never was', [], familyMoves(), 'order_not_found'],
    ['that counts as never placed', [placed, withdrawn()], officeMoves(), 'order_not_found'],
    ['that is completed', [placed, completed()], familyMoves(), 'already_completed'],
    ['that is completed, by the office', [placed, completed()], officeMoves(), 'already_completed'],
    ['that is cancelled', [placed, cancelled()], familyMoves(), 'already_cancelled'],
    ['that is cancelled, by the office', [placed, cancelled()], officeMoves(), 'already_cancelled'],
    ['that was paid back', [placed, cancelled(), refunded()], officeMoves(), 'already_refunded'],
    [
      'after the hour',
      [placed],
      familyMoves({ day: tuesdayBy(), now: after(monday7, 61) }),
      'cancel_window_over',
    ],
    ['after the cutoff', [placed], familyMoves({ now: after(monday7, 25 * 60) }), 'cancel_window_over'],
    ['that the office ordered late', [late], familyMoves(), 'late_order'],
    ['a dearer one that another pays for', [placed], familyMoves(dearer), 'payer_only'],
    ['that was handed out', [placed, given], officeMoves(), 'meal_given'],
    ['moved twenty times', [placed, ...twenty], familyMoves({ to: back }), 'too_many_changes'],
    ['moved twenty times, by the office', [placed, ...twenty], officeMoves({ to: back }), 'too_many_changes'],
  ]
  test.each(refusals)('refused: one %s', (_which, events, command, code) =>
    slot
      .given(...events)
      .when(command)
      .refused(code),
  )

  test('what it may be is what cancelling may be, with sentences of its own', () => {
    const hour = tuesdayBy()
    slot
      .given(placed)
      .when(familyMoves({ day: hour, now: after(monday7, 60) }))
      .then(orderChanged({ ...movedToThursday.data, at: iso(60) }))
    const decide = (day: typeof hour) => () =>
      mealSlot.decide(familyMoves({ day, now: after(monday7, 25 * 60) }), fold(mealSlot, [placed]))
    expect(decide(hour)).toThrow('Orders can only be moved within 1 hour of placing the order')
    expect(decide(untilCutoff)).toThrow('Meals of Tuesday could be moved until Tuesday 08:00')
  })
})

describe('the stream of the day that it left', () => {
  test('has the day free, and counts on', () => {
    expect(dayOf(fold(mealSlot, [placed, movedToThursday]))).toEqual({ status: 'free' })
    slot
      .given(placed, movedToThursday)
      .when(order(5, otherAttempt))
      .then(ordered(2, after(monday7, 5), { attemptId: otherAttempt }))
  })
  test('keeps the order, which is cancelled there by the rules of the day that it has', () => {
    const thursdayDay = mealDayOf('2026-09-17', termsWith({ cancelUntil: 'cutoff' }))
    const now = after(monday7, 2 * 24 * 60)
    const [event] = mealSlot.decide(
      parentCancels(now, mary, first, thursdayDay),
      fold(mealSlot, [placed, movedToThursday]),
    )
    expect(event).toMatchObject({ type: 'ordering.order-cancelled.v1', data: { afterCutoff: false } })
  })
  test('places it again though another lunch has the day since', () => {
    const other = ordered(2, after(monday7, 2), { attemptId: otherAttempt })
    const gone = cancelled(first, 3)
    slot
      .given(placed, movedToThursday, other, gone)
      .when({ kind: 'reopen', orderId: first, now: after(monday7, 4) })
      .then(expect.objectContaining({ type: 'ordering.order-reopened.v1' }) as never)
  })
  test('withdraws it with its checkout', () =>
    slot.given(placed, movedToThursday).when(withdraw(attempt)).then(withdrawn()))
  test('moved back, it has the day again under its own id', () => {
    const back = { from: '2026-09-17', ...tuesdayPlace, as: first }
    const cutoffAt = '2026-09-15T06:00:00.000Z'
    const cameBack = orderChanged({ ...movedToThursday.data, moved: back, closes: { cutoffAt }, at: iso(2) })
    const state = fold(mealSlot, [placed, movedToThursday, cameBack])
    expect(dayOf(state)).toMatchObject({
      status: 'ordered',
      order: { id: first, meal_date: '2026-09-15', changes: 2 },
    })
    expect(isAway(state.orders.get(first)!)).toBe(false)
  })
  test('the office chose no other meal: it goes back as it was paid for as long as before', () =>
    expect(orderFrom([placed, byOffice], first)).toMatchObject({ substituted: false }))
})

describe('the stream of the day that it comes to', () => {
  const home = fold(mealSlot, [placed, movedToThursday])
  const there = fold(mealSlot, [comesOnThursday])

  test('is claimed for a minute by what the order says', () => {
    const moved = home.orders.get(first)!
    expect(claimOf(moved, { changeId, now: after(monday7, 1) })).toEqual(comesOnThursday)
    expect(slotConflict(there, '', after(monday7, 1))).toBe('day_reserved')
    expect(slotConflict(there, changeId, after(monday7, 1))).toBeNull()
    expect(slotConflict(there, '', after(monday7, 2))).toBeNull()
  })
  test('has the lunch as long as its own stream says so', () => {
    expect(slotConflict(awayOn(home, thursday), '', monday7)).toBe('already_ordered')
    expect(slotConflict(awayOn(home, tuesday), '', monday7)).toBeNull()
    expect(slotConflict(awayOn(fold(mealSlot, [placed]), thursday), '', monday7)).toBeNull()
    const gone = fold(mealSlot, [placed, movedToThursday, cancelled(first, 2)])
    expect(slotConflict(awayOn(gone, thursday), '', monday7)).toBeNull()
    expect(dayOfOrder(home.orders.get(first)!)).toEqual(thursday)
  })
  test('gives no number twice', () => {
    expect(nextOrderId(thursday, fold(mealSlot, []))).toBe(toThursday.as)
    expect(nextOrderId(thursday, there)).toBe('118.2026-09-17.2')
  })
  test('a reservation of it releases the claim', () => {
    const reserved = lunchReserved({ ...tuesdayPlace, attemptId: attempt, until: iso(9), at: iso(3) })
    expect(dayOf(fold(mealSlot, [comesOnThursday, reserved]))).toMatchObject({ attemptId: attempt })
  })
})
