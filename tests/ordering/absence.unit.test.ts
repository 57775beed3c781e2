import { absenceMarked, absenceTakenBack } from '#modules/ordering/slot/events'
import type { OrderingRules } from '#contracts/ordering-rules'
import type { SlotEvent } from '#modules/ordering/slot/meal-slot'
import type { SlotCommand } from '#modules/ordering/slot/meal-slot.decide'
import { orderFrom, orderReply } from '#modules/ordering/orders/orders.view'
import { after, mary, monday7, ordered, termsWith, tuesdayBy, tuesdayMeal } from './lunches'
import { cancelled, completed, first, slot } from './slot-words'

const midnight = after(new Date(tuesdayMeal.cutoffAt), -8 * 60)
const cutoffAt = new Date(tuesdayMeal.cutoffAt)
const noon = after(cutoffAt, 4 * 60)
const lastMoment = after(noon, 0, -1)
const placed = ordered(1, monday7)

const says = (absent: boolean, now: Date, day = tuesdayBy(), userId = mary): SlotCommand => ({
  kind: 'absence',
  orderId: first,
  userId,
  absent,
  day,
  now,
})
const marked = (now: Date, credit = 0) => absenceMarked({ orderId: first, credit, at: now.toISOString() })
const takenBack = (now: Date) => absenceTakenBack({ orderId: first, at: now.toISOString() })

describe('that a child is ill', () => {
  test.each([midnight, cutoffAt, lastMoment])('is said on the day of the meal until noon: %s', (now) =>
    slot.given(placed).when(says(true, now)).then(marked(now)),
  )
  test('also of a completed order', () =>
    slot.given(placed, completed()).when(says(true, cutoffAt)).then(marked(cutoffAt)))
  test('again changes nothing', () =>
    slot.given(placed, marked(cutoffAt)).when(says(true, noon)).nothingHappens())
  test('not the day before', () =>
    slot
      .given(placed)
      .when(says(true, after(midnight, 0, -1)))
      .refused('absence_too_early'))
  test('not from noon on', () => slot.given(placed).when(says(true, noon)).refused('absence_over'))
  test('not while the order can still be cancelled', () => {
    const late = ordered(1, after(cutoffAt, -10))
    slot
      .given(late)
      .when(says(true, after(cutoffAt, 50)))
      .refused('absence_too_early')
    const now = after(cutoffAt, 50, 1)
    slot.given(late).when(says(true, now)).then(marked(now))
    const untilCutoff = tuesdayBy({ cancelUntil: 'cutoff' })
    slot
      .given(placed)
      .when(says(true, midnight, untilCutoff))
      .refused('absence_too_early')
    slot
      .given(placed)
      .when(says(true, cutoffAt, untilCutoff))
      .then(marked(cutoffAt))
  })
  test('not of a cancelled order, nor of one of somebody else', () => {
    slot.given(placed, cancelled()).when(says(true, cutoffAt)).refused('already_cancelled')
    slot
      .given(placed)
      .when(says(true, cutoffAt, tuesdayBy(), 99))
      .refused('order_not_found')
  })
  test.each([
    [100, 4550],
    [50, 2275],
    [33, 1502],
    [0, 0],
  ])('gives back %i percent, half a ngwee up', (absencePercent, credit) => {
    const day = tuesdayBy({ absence: 'credit', absencePercent })
    slot
      .given(placed)
      .when(says(true, cutoffAt, day))
      .then(marked(cutoffAt, credit))
  })
})

describe('that the child eats after all', () => {
  test('is said until noon', () =>
    slot.given(placed, marked(cutoffAt)).when(says(false, lastMoment)).then(takenBack(lastMoment)))
  test('not from noon on', () =>
    slot.given(placed, marked(cutoffAt)).when(says(false, noon)).refused('absence_over'))
  test('of a child that was not ill changes nothing', () =>
    slot.given(placed).when(says(false, noon)).nothingHappens())
})

const replyAt = (now: Date, ...events: SlotEvent[]) =>
  orderReply(orderFrom([placed, ...events], first)!, now, termsWith())

test.each([
  [after(midnight, 0, -1), [], false, 'That a child is ill on Tuesday can be said on that day until 12:00'],
  [noon, [], false, 'That a child is ill on Tuesday could be said until Tuesday 12:00'],
  [cutoffAt, [cancelled()], false, 'This order is already cancelled'],
  [cutoffAt, [], true, undefined],
  [lastMoment, [marked(cutoffAt)], true, undefined],
])('at %s the reply says whether it can be said, or why not', (now, events, absent, why) => {
  const reply = replyAt(now, ...events)
  expect([reply.allowed.absent, reply.why.absent]).toEqual([absent, why])
})

describe('when the absence of the child can be told', () => {
  const late = ordered(1, after(noon, -30))
  const cases: [about: string, events: SlotEvent[], rules: Partial<OrderingRules>, now: Date][] = [
    ['cancelled for an hour', [placed], {}, monday7],
    ['cancelled until the cutoff', [placed], { cancelUntil: 'cutoff' }, monday7],
    ['on the day, before the cutoff', [placed], { cancelUntil: 'cutoff' }, after(noon, -300)],
    ['on the day, after the cutoff', [placed], { cancelUntil: 'cutoff' }, after(noon, -60)],
    ['cooked', [placed, completed()], { cancelUntil: 'cutoff' }, after(noon, -300)],
    ['told already', [placed, marked(cutoffAt)], {}, after(noon, -60)],
    ['past noon', [placed], {}, noon],
    ['its first hour ends after noon', [late], {}, after(noon, -20)],
    ['cancelled', [placed, cancelled()], {}, after(noon, -60)],
  ]
  test.each(cases)('it changes just when the answer says: %s', (_about, events, rules, now) => {
    const allowedAt = (then: Date) => orderReply(orderFrom(events, first)!, then, termsWith(rules)).allowed
    const { absent: may, absentInMs, absentForMs } = allowedAt(now)
    const mays = (ms: number) => allowedAt(after(now, 0, ms)).absent
    expect(may).toBe(absentForMs !== undefined && absentInMs === undefined)
    if (absentInMs !== undefined) expect([mays(absentInMs - 1), mays(absentInMs)]).toEqual([false, true])
    if (absentForMs !== undefined) expect([mays(absentForMs), mays(absentForMs + 1)]).toEqual([true, false])
    else expect([mays(0), mays(24 * 3_600_000)]).toEqual([false, false])
  })
})
