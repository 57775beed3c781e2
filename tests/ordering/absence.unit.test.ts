import type { OrderingRules } from '#contracts/ordering'
import { orderReply } from '#modules/ordering/orders/orders.view'
import { absenceMarked, absenceTakenBack, orderCancelled, orderChanged } from '#modules/ordering/slot/events'
import type { SlotEvent } from '#modules/ordering/slot/meal-slot'
import type { SlotCommand } from '#modules/ordering/slot/meal-slot.decide'
import {
  absent,
  completedAt,
  given,
  notKept,
  problem,
  reopenedAt,
  standing,
  takenBack,
  tells,
  undoes,
} from './hatch-words'
import { after, mary, monday7, ordered, otherAttempt, termsWith, tuesdayBy, tuesdayMeal } from './lunches'
import { cancelled, completed, first, slot, orderFrom } from './slot-words'

const placed = ordered(1, monday7)

const midnight = after(new Date(tuesdayMeal.cutoffAt), -8 * 60)
const cutoffAt = new Date(tuesdayMeal.cutoffAt)
const noon = after(cutoffAt, 4 * 60)
const lastMoment = after(noon, 0, -1)

const says = (absent: boolean, now: Date, day = tuesdayBy(), userId = mary): SlotCommand => ({
  kind: 'absence',
  orderId: first,
  userId,
  absent,
  day,
  now,
})
const marked = (now: Date, credit = 0) => absenceMarked({ orderId: first, credit, at: now.toISOString() })
const eats = (now: Date) => absenceTakenBack({ orderId: first, at: now.toISOString() })

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
    slot.given(placed, marked(cutoffAt)).when(says(false, lastMoment)).then(eats(lastMoment)))
  test('not from noon on', () =>
    slot.given(placed, marked(cutoffAt)).when(says(false, noon)).refused('absence_over'))
  test('of a child that was not ill changes nothing', () =>
    slot.given(placed).when(says(false, noon)).nothingHappens())
})

describe('ill, and not, again and again', () => {
  const atHatch = after(cutoffAt, 100)
  const toldTimes = (times: number) =>
    Array.from({ length: times }, (_, turn) => (turn % 2 === 0 ? marked(cutoffAt) : eats(cutoffAt)))
  const handedOut = [given(1, { at: atHatch }), completedAt(atHatch), eats(atHatch)]
  const eatenAndNot = (turn: number) => [
    given(2 * turn, { at: atHatch }),
    completedAt(atHatch),
    eats(atHatch),
    takenBack(2 * turn, 2 * turn + 1),
    reopenedAt(noon),
    marked(noon, 4550),
  ]

  test('the 20th time is told, the 21st is for the office, and what is so already is answered', () => {
    slot
      .given(placed, ...toldTimes(19))
      .when(says(false, noon))
      .refused('absence_over')
    slot
      .given(placed, ...toldTimes(19))
      .when(says(false, lastMoment))
      .then(eats(lastMoment))
    slot
      .given(placed, ...toldTimes(20))
      .when(says(true, lastMoment))
      .refused('too_many_changes')
    slot
      .given(placed, ...toldTimes(20))
      .when(says(false, lastMoment))
      .nothingHappens()
  })
  test('another order of the day begins anew', () =>
    slot
      .given(placed, ...toldTimes(20), cancelled(), ordered(2, monday7, { attemptId: otherAttempt }))
      .when({ ...says(true, cutoffAt), orderId: '118.2026-09-15.2' } as SlotCommand)
      .then(absenceMarked({ orderId: '118.2026-09-15.2', credit: 0, at: cutoffAt.toISOString() })))
  test('what the hatch ends by giving the lunch out is neither counted nor refused', () => {
    const often = Array.from({ length: 11 }, (_, turn) => eatenAndNot(turn)).flat()
    slot
      .given(placed, ...toldTimes(19), ...often)
      .when(says(false, lastMoment))
      .then(eats(lastMoment))
    slot
      .given(placed, ...toldTimes(21))
      .when(tells('given', 1, { at: atHatch }))
      .then(...handedOut)
  })
})

const replyAt = (now: Date, ...events: SlotEvent[]) =>
  orderReply(orderFrom([placed, ...events], first)!, now, termsWith())

test.each([
  [after(midnight, 0, -1), [], false, 'That a child is ill on Tuesday can be said on that day until 12:00'],
  [noon, [], false, 'Absence for Tuesday could be reported until 12:00'],
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

const illAgain = (undone: number, by: number) => [takenBack(undone, by), reopenedAt(noon), marked(noon, 4550)]

describe('ill, and handed out', () => {
  const atHatch = after(cutoffAt, 100)
  const handedOut = [given(1, { at: atHatch }), completedAt(atHatch), eats(atHatch)]
  const shown = "Chanda's lunch was handed out at"
  test('what was handed out is not said to be left by an ill child', () => {
    slot
      .given(placed, given(1, { at: atHatch }), completedAt(atHatch))
      .when(says(true, after(atHatch, 1)))
      .refused('meal_given')
    slot
      .given(placed, given(1, { at: atHatch }), completedAt(atHatch), takenBack(1, 2), reopenedAt(atHatch))
      .when(says(true, after(atHatch, 1)))
      .then(marked(after(atHatch, 1)))
  })
  test('a meal that is handed out after all takes the absence back', () =>
    slot
      .given(placed, marked(cutoffAt, 4550))
      .when(tells('given', 1, { at: atHatch }))
      .then(...handedOut))
  test('the mark taken back, the order is as it was before: the child is ill', () => {
    const past = [
      placed,
      marked(cutoffAt, 4550),
      given(1, { at: atHatch }),
      completedAt(atHatch),
      eats(atHatch),
    ]
    slot
      .given(...past)
      .when(undoes(1, 2, { at: noon }))
      .then(...illAgain(1, 2))
    slot
      .given(
        ...past,
        takenBack(1, 2),
        reopenedAt(noon),
        marked(noon, 4550),
        given(3),
        completedAt(noon),
        eats(noon),
      )
      .when(undoes(3, 4))
      .then(...illAgain(3, 4))
  })
  test('a mark of a meal whose child was not ill leaves it so', () =>
    slot
      .given(placed, marked(cutoffAt), eats(atHatch), given(1), completedAt(noon))
      .when(undoes(1, 2))
      .then(takenBack(1, 2), reopenedAt(noon)))
  test('the family is told why it may not say so', () => {
    const row = orderFrom([placed, given(1, { at: atHatch }), completedAt(atHatch)], first)!
    const reply = orderReply(row, after(atHatch, 1), termsWith())
    expect(reply).toMatchObject({
      allowed: { absent: false },
      why: { absent: expect.stringContaining(shown) },
    })
    expect(reply.allowed.absentForMs).toBeUndefined()
    const undone = orderFrom(
      [placed, given(1, { at: atHatch }), completedAt(atHatch), takenBack(1, 2), reopenedAt(atHatch)],
      first,
    )!
    expect(orderReply(undone, after(atHatch, 1), termsWith()).allowed.absent).toBe(true)
  })
})

describe('what the family sees of the meal is the standing mark of the hatch', () => {
  const seen = (...marks: SlotEvent[]) =>
    orderReply(orderFrom([placed, ...marks], first)!, noon, termsWith()).given
  const atHatch = after(cutoffAt, 2 * 60)
  const atTen = after(atHatch, 10)
  const cases: [about: string, marks: SlotEvent[], seen: ReturnType<typeof seen>][] = [
    ['none', [], null],
    ['given', [given(1, { at: atHatch })], { at: atHatch.toISOString(), state: 'given' }],
    ['not there', [absent(1, { at: atHatch })], { at: atHatch.toISOString(), state: 'absent' }],
    ['a problem', [problem(1, { at: atHatch })], { at: atHatch.toISOString(), state: 'problem' }],
    [
      'given after all',
      [absent(1, { at: atHatch }), given(2, { at: atTen })],
      { at: atTen.toISOString(), state: 'given' },
    ],
    [
      'given by mistake: not there stands again',
      [absent(1, { at: atHatch }), given(2, { at: atTen }), takenBack(2, 3)],
      { at: atHatch.toISOString(), state: 'absent' },
    ],
    ['taken back', [absent(1, { at: atHatch }), takenBack(1, 2)], null],
    [
      'a mark that changed nothing',
      [
        given(1, { at: atHatch }),
        notKept(2, { kind: 'absent', result: 'conflict', other: standing(1, 'given') }),
      ],
      { at: atHatch.toISOString(), state: 'given' },
    ],
  ]
  test.each(cases)('%s', (_about, marks, expected) => expect(seen(...marks)).toEqual(expected))
})

const soon = after(monday7, 5)
const at = soon.toISOString()
const other = 4711
const { item, category, sideDish, comments, originalPrice, price, discountPercentage } = tuesdayMeal
const had = { item, category, sideDish, comments, originalPrice, price, discountPercentage }

const guardian = { userId: other, isGuardian: true }
const cancels = (member: { userId: number; isGuardian?: boolean }): SlotCommand => ({
  kind: 'cancel',
  orderId: first,
  by: { role: 'parent', ...member, day: tuesdayBy() },
  now: soon,
})
const changes = (meal: typeof had): SlotCommand => ({
  kind: 'change',
  orderId: first,
  changeId: 'b0a6c1d4-3f5e-4b0c-9f9d-52f0a2c1e7ab',
  ...guardian,
  meal,
  day: tuesdayBy(),
  now: soon,
})

describe("somebody else's order for the own child", () => {
  test('is cancelled by a guardian as by who has paid', () =>
    slot
      .given(placed)
      .when(cancels(guardian))
      .then(orderCancelled({ orderId: first, by: 'parent', afterCutoff: false, at })))

  test('is none for who is no guardian', () =>
    slot
      .given(placed)
      .when(cancels({ userId: other }))
      .refused('order_not_found'))

  test('becomes another meal that costs no more', () => {
    const meal = { ...had, comments: 'No onions', price: price - 100 }
    slot
      .given(placed)
      .when(changes(meal))
      .then(
        orderChanged({
          orderId: first,
          changeId: 'b0a6c1d4-3f5e-4b0c-9f9d-52f0a2c1e7ab',
          by: 'parent',
          meal,
          old: had,
          at,
        }),
      )
  })

  test('becomes no dearer one: that would be taken from the credit of who has paid', () =>
    slot
      .given(placed)
      .when(changes({ ...had, price: price + 100 }))
      .refused('payer_only'))
})
