import { v4 } from 'uuid'
import type { DomainEvent } from '#kernel/event'
import {
  type AlikeOrders,
  kitchenHealth,
  placeAmong,
  totalsOf,
} from '#modules/ordering/kitchen/kitchen.decide'
import { kitchenChangesView } from '#modules/ordering/orders/kitchen-changes.view'
import { ordersView } from '#modules/ordering/orders/orders.view'
import {
  portionOrdered,
  portionReleased,
  portionReserved,
  portionStream,
} from '#modules/ordering/portions/portions.decide'
import { portionReservationsView } from '#modules/ordering/portions/portions.view'
import {
  absenceMarked,
  absenceTakenBack,
  lunchOrdered,
  orderCancelled,
  orderCompleted,
  orderReopened,
  orderWithdrawn,
} from '#modules/ordering/slot/events'
import { lunchGiven } from '#modules/ordering/slot/lunch-marks'
import { changesOf, touchReader } from '#platform/projections/row-view'
import { fold, specificationOf } from '../support/given-when-then'
import { recordedEvents } from '../support/recorded-events'
import { viewSpec } from '../support/view-spec'
import { after, monday7, ordered, cycle, attempt, otherAttempt } from './lunches'
import { changedToStew, movedToThursday } from './slot-words'

describe('the kitchen', () => {
  const orderId = '118.2026-09-15.1'
  const at = (minutes: number) => after(monday7, minutes).toISOString()
  const placed = ordered(1, monday7)
  const cancelled = orderCancelled({ orderId, by: 'parent', afterCutoff: false, at: at(2) })
  const reopened = orderReopened({ orderId, at: at(3) })
  const nshima = { itemId: 3, name: 'Nshima with relish', category: 'beef', sideDish: 'Cabbage' }
  const stew = expect.objectContaining({ itemId: 4, name: 'Stew' })

  /** The rows that these events add, one after another. */
  const rowsOf = (...events: DomainEvent[]) => {
    const touches = touchReader([ordersView])(recordedEvents(...events))
    const change = changesOf(new Map(), touches).find(({ view }) => view === kitchenChangesView)
    return change?.written ?? []
  }
  const changes = (...events: DomainEvent[]) =>
    rowsOf(...events).map(({ position: _position, order_id, kitchen_id, date, ...told }) => {
      const { late, moved, ...change } = told
      expect([late, moved]).toEqual([false, null])
      expect([order_id, kitchen_id, date]).toEqual([orderId, orderId, '2026-09-15'])
      return change
    })
  const first = { at: at(0), kind: 'ordered', was: null, is_now: nshima }

  test('an order is one to cook', () => expect(changes(placed)).toEqual([first]))
  test('an order of the office after the cutoff is told as late', () => {
    const { data } = placed
    expect(rowsOf(lunchOrdered({ ...data, late: true }))).toEqual([
      expect.objectContaining({ kind: 'ordered', late: true }),
    ])
  })
  test('only what the kitchen completes is its own, not what the hatch gives out', () => {
    const completed = orderCompleted({ orderId, at: at(5) })
    const mark = { orderId, userId: 5, markId: v4(), by: 9, note: null, deviceAt: at(4), at: at(4) }
    const by = (...events: DomainEvent[]) => ({
      is: (completed_by: string | null) =>
        viewSpec(ordersView)
          .given(placed, ...events)
          .thenRows([expect.objectContaining({ completed_by })]),
    })
    by(completed).is('kitchen')
    by(lunchGiven(mark), completed).is('hatch')
    by(completed, lunchGiven(mark)).is('kitchen')
    by(completed, orderReopened({ orderId, at: at(6) })).is(null)
  })
  test('a change is named by the place of its event in the log', () => {
    const [event] = recordedEvents(placed)
    const touches = touchReader([ordersView])([event!])
    const change = changesOf(new Map(), touches).find(({ view }) => view === kitchenChangesView)
    expect(change!.written).toEqual([
      {
        ...first,
        position: event!.position,
        order_id: orderId,
        kitchen_id: orderId,
        date: '2026-09-15',
        late: false,
        moved: null,
      },
    ])
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
  test('another day is one less to cook on the one and one more on the other, each by a name of its own', () => {
    const [, left, come] = rowsOf(placed, movedToThursday)
    expect([left, come]).toMatchObject([
      {
        kind: 'cancelled',
        date: '2026-09-15',
        kitchen_id: orderId,
        was: nshima,
        is_now: null,
        moved: '2026-09-17',
      },
      {
        kind: 'ordered',
        date: '2026-09-17',
        kitchen_id: '118.2026-09-17.1',
        is_now: nshima,
        moved: '2026-09-15',
      },
    ])
    expect(left!.position).not.toBe(come!.position)
    expect(left!.order_id).toBe(come!.order_id)
  })
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
  test('an order that counts as never placed changes nothing more for the kitchen', () =>
    expect(changes(placed, orderWithdrawn({ orderId, at: at(1) }))).toEqual([first]))

  const monday = '2026-09-14'
  const eaten = (studentId: number, more: Partial<Parameters<typeof kitchenHealth>[0][number]> = {}) => ({
    studentId,
    mealDate: monday,
    student: `Child ${studentId}`,
    grade: '4' as const,
    menuItem: 'Satay',
    class: null,
    allergies: null,
    diet: 'none' as const,
    medicalNote: null,
    allergens: [],
    ...more,
  })

  test('where nobody has declared anything, nothing is told', () => {
    expect(kitchenHealth([eaten(1), eaten(2)])).toEqual({ allergies: null })
    expect(kitchenHealth([eaten(1, { allergies: [] })])).toEqual({ allergies: [] })
  })

  test('an allergy has its children, and the meals that contain it whatever the case, most children first', () => {
    const { allergies } = kitchenHealth([
      eaten(1, { allergies: ['Milk'] }),
      eaten(2, { allergies: ['Peanuts', 'Milk'], allergens: ['PEANUTS'] }),
      eaten(3, { allergies: ['peanuts'], menuItem: 'Stew' }),
      eaten(4, { allergies: ['Peanuts'], allergens: ['Peanuts'] }),
      eaten(1, { mealDate: '2026-09-15', allergies: ['Milk'], menuItem: 'Porridge', allergens: ['Milk'] }),
    ])
    const who = (...children: [number, boolean][]) =>
      children.map(([id, inMeal]) => ({ student: `Child ${id}`, grade: '4', class: null, inMeal }))
    expect(allergies).toEqual([
      {
        mealDate: monday,
        name: 'Peanuts',
        children: 3,
        meals: [{ menuItem: 'Satay', count: 2 }],
        who: who([2, true], [3, false], [4, true]),
      },
      { mealDate: monday, name: 'Milk', children: 2, meals: [], who: who([1, false], [2, false]) },
      {
        mealDate: '2026-09-15',
        name: 'Milk',
        children: 1,
        meals: [{ menuItem: 'Porridge', count: 1 }],
        who: who([1, true]),
      },
    ])
  })

  test('of an allergy the children are named with their class, two of one name told apart', () => {
    const { allergies } = kitchenHealth([
      eaten(1, { allergies: ['Milk'], class: '4A', student: 'Chipo', tellApart: '2231' }),
    ])
    expect(allergies![0]!.who).toEqual([
      { student: 'Chipo', grade: '4', class: '4A', tellApart: '2231', inMeal: false },
    ])
  })

  test('diets have all meals of their children; notes name theirs', () => {
    const { diets, medicalNotes } = kitchenHealth([
      eaten(1, { diet: 'halal' }),
      eaten(2, {
        diet: 'halal',
        menuItem: 'Stew',
        class: '4B',
        medicalNote: 'Inhaler in the bag',
        tellApart: '2231',
      }),
      eaten(3, { diet: 'vegetarian' }),
    ])
    expect(diets).toEqual([
      {
        mealDate: monday,
        diet: 'halal',
        children: 2,
        meals: [
          { menuItem: 'Satay', count: 1 },
          { menuItem: 'Stew', count: 1 },
        ],
      },
      { mealDate: monday, diet: 'vegetarian', children: 1, meals: [{ menuItem: 'Satay', count: 1 }] },
    ])
    expect(medicalNotes).toEqual([
      {
        mealDate: monday,
        student: 'Child 2',
        grade: '4',
        class: '4B',
        medicalNote: 'Inhaler in the bag',
        tellApart: '2231',
      },
    ])
  })

  const porridge: AlikeOrders = {
    meal_date: '2026-09-15',
    item_id: 3,
    item_name: 'Porridge',
    item_type: 'primary',
    category: 'beef',
    side_dish: null,
    status: 'pending',
    payment_status: 'confirmed',
    count: 1,
    absent: 0,
    ids: null,
    comments: null,
  }

  const placeOf = placeAmong(cycle, '2026-09-15')
  const totals = (groups: AlikeOrders[]) => totalsOf(groups, placeOf)

  test('portions of one item are added up over all that differs between its orders', () => {
    const [total, ...others] = totals([
      { ...porridge, count: 3, ids: ['c', 'a', 'b'] },
      { ...porridge, count: 2, payment_status: 'pending', ids: ['e', 'd'], side_dish: 'Bread' },
      { ...porridge, count: 4, status: 'completed', category: 'chicken', side_dish: 'Apple' },
    ])
    expect(others).toEqual([])
    expect(total).toMatchObject({ total: 9, unpaid: 2, completed: 4, cancelledLate: 0 })
    expect(total!.pendingOrderIds).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(total!.proteins).toEqual([
      { name: 'beef', count: 5 },
      { name: 'chicken', count: 4 },
    ])
    expect(total!.sides.map(({ name, count }) => [name, count])).toEqual([
      ['Apple', 4],
      ['Bread', 2],
    ])
    expect(total!.plates.map(({ category, sideDish, count }) => [category, sideDish, count])).toEqual([
      ['chicken', 'Apple', 4],
      ['beef', null, 3],
      ['beef', 'Bread', 2],
    ])
  })

  test('what was called off late is counted apart and has no portions', () => {
    const [total] = totals([
      porridge,
      { ...porridge, status: 'cancelled', count: 2, category: 'chicken' },
      { ...porridge, status: 'refunded', count: 1, category: 'chicken' },
    ])
    expect(total).toMatchObject({ total: 1, cancelledLate: 3 })
    expect(total!.proteins.map(({ name }) => name)).toEqual(['beef'])
    expect(total!.plates.map(({ category, count }) => [category, count])).toEqual([['beef', 1]])
  })

  test('of what is cooked, the meals of absent children are counted; without any, nothing is said of it', () => {
    const [total] = totals([
      { ...porridge, count: 3, absent: 1 },
      { ...porridge, count: 2, absent: 2, status: 'completed' },
      { ...porridge, count: 1, absent: 1, status: 'cancelled' },
    ])
    expect(total).toMatchObject({ total: 5, absent: 3 })
    expect(totals([porridge])[0]).not.toHaveProperty('absent')
  })

  test('a remark stands once with its plate and whose it is, the most frequent first, then by name', () => {
    const [total] = totals([
      {
        ...porridge,
        count: 3,
        comments: [
          ['no onions', 'Wezi Zulu'],
          ['Small', 'Chipo Banda'],
          ['Cut small', 'Bupe Phiri'],
        ],
      },
      { ...porridge, status: 'completed', count: 1, comments: [['No onions', 'Luse Mwale']] },
      { ...porridge, side_dish: 'Bread', comments: [['No onions', 'Tandi Lungu']] },
      { ...porridge, status: 'cancelled', comments: [['Warm', 'Yande Soko']] },
    ])
    expect(total!.plates).toEqual([
      {
        category: 'beef',
        sideDish: null,
        count: 4,
        comments: [
          { text: 'No onions', count: 2, students: ['Luse Mwale', 'Wezi Zulu'] },
          { text: 'Cut small', count: 1, students: ['Bupe Phiri'] },
          { text: 'Small', count: 1, students: ['Chipo Banda'] },
        ],
      },
      {
        category: 'beef',
        sideDish: 'Bread',
        count: 1,
        comments: [{ text: 'No onions', count: 1, students: ['Tandi Lungu'] }],
      },
    ])
  })

  test('plates of the same number stand by protein and side', () => {
    const plates = [
      { ...porridge, category: 'fish', side_dish: 'Rape' },
      { ...porridge, category: null, side_dish: null },
      { ...porridge, category: 'fish', side_dish: 'Apple' },
    ]
    for (const groups of [plates, plates.toReversed()])
      expect(totals(groups)[0]!.plates.map(({ category, sideDish }) => [category, sideDish])).toEqual([
        [null, null],
        ['fish', 'Apple'],
        ['fish', 'Rape'],
      ])
  })

  test('one total per day and item, in the order given', () => {
    const placed = totals([
      porridge,
      { ...porridge, item_id: 4, item_name: 'Stew' },
      { ...porridge, meal_date: '2026-09-16' },
    ])
    expect(placed.map(({ dayOfWeek, menuItem }) => [dayOfWeek, menuItem])).toEqual([
      [2, 'Porridge'],
      [2, 'Stew'],
      [3, 'Porridge'],
    ])
  })
})

describe('portions', () => {
  const portions = specificationOf(portionStream)
  const iso = (minute: number) => after(monday7, minute).toISOString()
  const day = { menuItemId: 3, date: '2026-09-15' }
  const [chanda, bupe] = [118, 119]

  const about = (studentId: number, attemptId: string, minute: number) => ({
    ...day,
    studentId,
    attemptId,
    at: iso(minute),
  })
  const ordered = (studentId: number, minute = 0, attemptId = attempt) =>
    portionOrdered(about(studentId, attemptId, minute))
  const reserved = (studentId: number, untilMinute: number, minute = 0, attemptId = attempt) =>
    portionReserved({ ...about(studentId, attemptId, minute), until: iso(untilMinute) })
  const released = (studentId: number, minute: number, attemptId = attempt) =>
    portionReleased(about(studentId, attemptId, minute))

  type Take = Extract<Parameters<typeof portionStream.decide>[0], { kind: 'take' }>
  const take = (minute: number, more: Partial<Take> = {}): Take => ({
    kind: 'take',
    itemId: 3,
    date: '2026-09-15',
    studentId: chanda,
    attemptId: attempt,
    until: null,
    limit: 1,
    standing: new Set(),
    hanging: new Set(),
    now: after(monday7, minute),
    ...more,
  })
  const give = (minute: number, attemptId = attempt) =>
    ({
      kind: 'give',
      itemId: 3,
      date: '2026-09-15',
      studentId: chanda,
      attemptId,
      now: after(monday7, minute),
    }) as const

  describe('taking a portion', () => {
    test('while there is one it is had', () => portions.given().when(take(1)).then(ordered(chanda, 1)))
    test('a checkout that is paid for later holds it', () =>
      portions
        .given()
        .when(take(1, { until: iso(30) }))
        .then(reserved(chanda, 30, 1)))
    test("another child's order stands in the way", () =>
      portions.given(ordered(bupe)).when(take(1)).refused('sold_out'))
    test('so does a reservation', () => portions.given(reserved(bupe, 30)).when(take(29)).refused('sold_out'))
    test('one that has lapsed does not', () =>
      portions.given(reserved(bupe, 30)).when(take(30)).then(ordered(chanda, 30)))
    test('one that was given back does not', () =>
      portions.given(ordered(bupe), released(bupe, 1)).when(take(2)).then(ordered(chanda, 2)))
    test('an order from before there was a limit does', () =>
      portions
        .given()
        .when(take(1, { standing: new Set([bupe]) }))
        .refused('sold_out'))
    test('one that stands in both counts once', () =>
      portions
        .given(ordered(bupe))
        .when(take(1, { limit: 2, standing: new Set([bupe]) }))
        .then(ordered(chanda, 1)))
    test("the child's own order that the list still shows does not", () =>
      portions
        .given()
        .when(take(1, { standing: new Set([chanda]) }))
        .then(ordered(chanda, 1)))
  })

  describe('a portion that one has', () => {
    test('becomes that of the order, also below a limit that was lowered', () =>
      portions.given(reserved(bupe, 30), reserved(chanda, 30)).when(take(5)).then(ordered(chanda, 5)))
    test('is held for longer', () =>
      portions
        .given(reserved(chanda, 30))
        .when(take(5, { until: iso(40) }))
        .then(reserved(chanda, 40, 5)))
    test('is held already', () =>
      portions
        .given(reserved(chanda, 30))
        .when(take(5, { until: iso(30) }))
        .nothingHappens())
    test('is not taken twice', () => portions.given(ordered(chanda)).when(take(1)).nothingHappens())
    test('is told again when its order is appended later', () =>
      portions.given(ordered(chanda)).when(take(2)).then(ordered(chanda, 2)))
    test('is gone when its reservation has lapsed and another took it', () =>
      portions
        .given(reserved(chanda, 30), reserved(bupe, 60, 31, otherAttempt))
        .when(take(32))
        .refused('sold_out'))
  })

  describe('of one account, card pages and prompts hold two', () => {
    const [mary, grace] = [7, 8]
    const held = (studentId: number, untilMinute: number, userId = mary) =>
      portionReserved({ ...about(studentId, attempt, 0), until: iso(untilMinute), userId })
    const hold = (minute: number, more: Partial<Take> = {}) =>
      take(minute, { until: iso(minute + 10), limit: 10, userId: mary, ...more })
    const holding = (minute: number, userId = mary) =>
      portionReserved({ ...about(chanda, attempt, minute), until: iso(minute + 10), userId })

    test('the second one', () => portions.given(held(bupe, 10)).when(hold(1)).then(holding(1)))
    test('no third one', () => portions.given(held(bupe, 10), held(120, 10)).when(hold(1)).nothingHappens())
    test('a third one for another account', () =>
      portions
        .given(held(bupe, 10), held(120, 10))
        .when(hold(1, { userId: grace }))
        .then(holding(1, grace)))
    test('one in place of one whose time is over', () =>
      portions.given(held(bupe, 10), held(120, 5)).when(hold(5)).then(holding(5)))
    test('one beside those that were paid for', () =>
      portions.given(held(bupe, 10), ordered(bupe, 1), held(120, 10)).when(hold(2)).then(holding(2)))
    test('one of the two for longer', () =>
      portions.given(held(chanda, 10), held(120, 10)).when(hold(1)).then(holding(1)))
    test('a third one is still ordered once it is paid for', () =>
      portions
        .given(held(bupe, 10), held(120, 10))
        .when(take(1, { limit: 10 }))
        .then(ordered(chanda, 1)))
    test('a third one is refused where there is none', () =>
      portions
        .given(held(bupe, 10), held(120, 10))
        .when(hold(1, { limit: 2 }))
        .refused('sold_out'))
  })

  test('a portion that a crash left behind is given back before the next one takes it', () => {
    const past = [ordered(bupe, 0, otherAttempt)]
    const state = fold(portionStream, past)
    const hanging = new Set([state.get(bupe)!])
    expect(portionStream.decide(take(20, { hanging }), state)).toEqual([
      released(bupe, 20, otherAttempt),
      ordered(chanda, 20),
    ])
  })

  describe('giving a portion back', () => {
    test('whoever has it gives it back', () =>
      portions.given(ordered(chanda)).when(give(1)).then(released(chanda, 1)))
    test('once', () => portions.given(ordered(chanda), released(chanda, 1)).when(give(2)).nothingHappens())
    test('nobody gives what another attempt has', () =>
      portions.given(ordered(chanda)).when(give(1, otherAttempt)).nothingHappens())
  })

  test('the list of reservations knows those that neither became an order nor were given back', () =>
    viewSpec(portionReservationsView)
      .given(
        reserved(chanda, 30),
        reserved(bupe, 30),
        ordered(bupe, 1),
        reserved(120, 30),
        released(120, 2),
        reserved(chanda, 40, 3),
      )
      .thenRows([
        { id: '3.2026-09-15.118', item_id: 3, date: '2026-09-15', student_id: 118, until: iso(40) },
      ]))
})
