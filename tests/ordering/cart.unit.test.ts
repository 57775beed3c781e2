import * as fc from 'fast-check'
import { unknownDiets, type DishDiets } from '#contracts/catalogue'
import { type CartLine, type LineRefusal, lineRefusals } from '#contracts/ordering'
import { lunchId } from '#kernel/id'
import { lunchOf } from '#kernel/meal-line'
import { differs } from '#kernel/money'
import { Refusal } from '#kernel/refusal'
import { addDays } from '#kernel/school-time'
import { type CartFacts, checkedCart } from '#modules/ordering/cart/cart.decide'
import {
  type MenuFacts,
  type PaidLineFacts,
  substituteRefusal,
  priced,
  paidLineUnavailableReason,
} from '#modules/ordering/cart/line-policies.decide'
import { lunchReserved } from '#modules/ordering/slot/events'
import { evolve, freeSlot } from '#modules/ordering/slot/meal-slot'
import {
  after,
  attempt,
  bupe,
  chanda,
  cutoffOf,
  monday7,
  mrPhiri,
  nshima,
  ordered,
  otherAttempt,
  schoolFacts,
  stew,
  tuesday,
  tuesdayMeal,
  tuesdayNshima,
  cycle,
} from './lunches'

const by = (percentage: number) => ({ percentage, sponsor: null })
const off = (percentage: number) => ({ discountOf: () => by(percentage) })

const line = (change: Partial<CartLine> = {}): CartLine => ({ ...tuesdayNshima, ...change })
const menuWith = (change: Partial<MenuFacts>): Partial<CartFacts> => ({
  items: new Map([[nshima.id, { ...nshima, ...change }]]),
})

/** Chanda is allergic to two of what the nshima contains, and the school has this rule. */
const allergic = (allergyRule: 'block' | 'warn'): Partial<CartFacts> => ({
  ...menuWith({ allergens: ['Peanuts', 'Wheat', 'Milk'] }),
  needs: new Map([[chanda.id, { allergies: ['milk', 'PEANUTS', 'Eggs'], diet: 'none' }]]),
  allergyRule,
})

/** Chanda eats halal, and the kitchen says this of the nshima. */
const halal = (says: DishDiets['halal'], allergyRule: 'block' | 'warn'): Partial<CartFacts> => ({
  ...menuWith({ diets: { ...unknownDiets, vegetarian: 'no', halal: says } }),
  needs: new Map([[chanda.id, { allergies: ['Milk'], diet: 'halal' }]]),
  allergyRule,
})

const refusalOf = (lines: CartLine[], facts: Partial<CartFacts> = {}): Refusal => {
  try {
    checkedCart(lines, { ...schoolFacts, ...facts })
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('The cart was accepted')
}
const told = (refusal: Refusal) => refusal.extra.lines as { index: number; code: string; message: string }[]

const heldBy = (attemptId: string, until: Date) =>
  new Map([
    [
      lunchId(lunchOf(tuesdayMeal)),
      evolve(
        freeSlot,
        lunchReserved({
          slot: tuesday,
          mealDate: tuesdayMeal.mealDate,
          attemptId,
          until: until.toISOString(),
          at: monday7.toISOString(),
        }),
      ),
    ],
  ])
const orderedBy = (attemptId: string) =>
  new Map([[lunchId(lunchOf(tuesdayMeal)), evolve(freeSlot, ordered(1, monday7, { attemptId }))]])

test('a good line comes back priced and dated by us', () => {
  expect(checkedCart([line()], schoolFacts)).toEqual([tuesdayMeal])
})

test('a line with the date of its week and day is as good as one without', () => {
  expect(checkedCart([line({ date: tuesdayMeal.mealDate })], schoolFacts)).toEqual([tuesdayMeal])
})

// Each lead day is a day earlier.
const early = { cutoffOf: (date: string, leadDays = 0) => cutoffOf(addDays(date, -leadDays)) }

describe('a refused line says why', () => {
  const cases: [why: LineRefusal, about: string, line: Partial<CartLine>, facts: Partial<CartFacts>][] = [
    ['student_not_found', "someone else's child", { studentId: 999 }, {}],
    ['no_active_cycle', 'no cycle is active', {}, { cycle: null }],
    ['day_moved', 'another date than the week and day have now', { date: '2026-01-06' }, {}],
    ['week_outside_cycle', 'week 5 of a cycle of 4', { weekNumber: 5 }, {}],
    ['day_blocked', 'the school is closed', { weekNumber: 2, dayOfWeek: 3 }, {}],
    ['day_past', 'yesterday', { dayOfWeek: 1 }, { now: after(monday7, 24 * 60) }],
    ['cutoff_passed', 'today at the cutoff', { dayOfWeek: 1 }, { now: after(monday7, 60) }],
    [
      'cutoff_passed',
      'a dish with lead days after its own cutoff',
      {},
      { ...menuWith({ leadDays: 2 }), ...early },
    ],
    ['item_missing', 'an item that was deleted', { menuItemId: 77 }, {}],
    ['item_archived', 'an archived item', {}, menuWith({ isArchived: true })],
    ['item_unavailable', 'an item switched off', {}, menuWith({ isAvailable: false })],
    ['item_not_offered', 'not in that week', {}, menuWith({ weekNumbers: [2, 3] })],
    ['item_not_offered', 'not on that day', {}, menuWith({ daysOfWeek: [1, 3] })],
    ['wrong_menu_for_grade', 'a primary meal for grade 9', { studentId: bupe.id }, {}],
    ['wrong_menu_for_grade', 'a secondary meal for grade 4', { menuItemId: stew.id }, {}],
    ['wrong_menu_for_grade', 'a primary meal for a teacher', { studentId: mrPhiri.id }, {}],
    ['protein_required', 'no protein', { category: null }, {}],
    ['protein_required', 'an empty protein', { category: '' }, {}],
    ['protein_not_offered', 'a protein that is not there', { category: 'fish' }, {}],
    ['protein_not_offered', 'a protein where none is offered', {}, menuWith({ categories: [] })],
    ['side_required', 'no side dish', { sideDish: null }, {}],
    ['side_not_offered', 'a side that is not there', { sideDish: 'Chips' }, {}],
    ['side_not_offered', 'a side where none is offered', {}, menuWith({ sideDishes: [] })],
    ['sold_out', 'the last portion is gone', {}, { soldOut: new Map([[0, 0]]) }],
    ['sold_out', 'sold out by hand on that date', {}, menuWith({ soldOutDates: [tuesdayMeal.mealDate] })],
    ['already_ordered', 'the day has an order', {}, { slots: orderedBy(otherAttempt) }],
    ['day_reserved', 'the day is being paid for', {}, { slots: heldBy(otherAttempt, after(monday7, 1)) }],
    ['allergen_conflict', 'an allergen of the child, in any case', {}, allergic('block')],
    ['allergen_conflict', 'accepted where the rule is to block', { acknowledged: true }, allergic('block')],
    ['allergen_conflict', 'nobody was asked where the rule is to warn', {}, allergic('warn')],
    ['allergen_conflict', 'not accepted after all', { acknowledged: false }, allergic('warn')],
    ['diet_conflict', 'against the diet of the child', {}, halal('no', 'block')],
    ['diet_conflict', 'accepted where the rule is to block', { acknowledged: true }, halal('no', 'block')],
    ['diet_conflict', 'nobody was asked where the rule is to warn', {}, halal('no', 'warn')],
    ['price_changed', 'two ngwee too little', { originalPrice: 45.48 }, {}],
    ['price_changed', 'two ngwee too much', { originalPrice: 45.52 }, {}],
    ['price_changed', 'a discount nobody gave', { discountedPrice: 0 }, {}],
    ['price_changed', 'less off than claimed', { discountedPrice: 22.75 }, off(40)],
  ]

  test.each(cases)('%s: %s', (code, _about, change, facts) => {
    const refusal = refusalOf([line(change)], facts)
    expect(refusal.code).toBe('lines_refused')
    const left = code === 'sold_out' ? { left: 0 } : {}
    const allergens = code === 'allergen_conflict' ? { allergens: ['Peanuts', 'Milk'] } : {}
    const diets = code === 'diet_conflict' ? { diets: ['halal'] } : {}
    expect(told(refusal)).toEqual([
      { index: 0, code, message: refusal.message, ...left, ...allergens, ...diets },
    ])
    expect(refusal.message).not.toBe('')
  })

  test('duplicate_line: the second of one child and day', () => {
    expect(told(refusalOf([line(), line({ category: 'chicken' })]))).toMatchObject([
      { index: 1, code: 'duplicate_line' },
    ])
  })

  test('every code of the closed list has been seen', () => {
    // Credit is the checkout's affair: tests/credit/checkout-with-credit.unit.test.ts.
    const elsewhere = ['credit_gone', 'too_many_orders']
    const seen = new Set<string>([...cases.map(([code]) => code), 'duplicate_line', ...elsewhere])
    expect(lineRefusals.filter((code) => !seen.has(code))).toEqual([])
  })
})

const checked = (change: Partial<CartLine>, facts: Partial<CartFacts>) =>
  checkedCart([line(change)], { ...schoolFacts, ...facts })

describe('a meal with an allergen of the child', () => {
  const acknowledged = { acknowledged: true } as const

  test('is ordered where the rule is to warn and it was accepted, and says that alone', () => {
    expect(checked(acknowledged, allergic('warn'))).toEqual([{ ...tuesdayMeal, acknowledged: true }])
  })

  test('an acceptance of what is not in the meal is none: what comes later is asked anew', () => {
    const { needs } = allergic('warn')
    expect(checked(acknowledged, { needs: needs!, allergyRule: 'warn' })).toEqual([tuesdayMeal])
  })

  test('the allergies of another child refuse nothing', () => {
    const facts = allergic('block')
    expect(
      checked({}, { ...facts, needs: new Map([[bupe.id, { allergies: ['Milk'], diet: 'none' }]]) }),
    ).toEqual([tuesdayMeal])
  })

  test("tells nothing of somebody else's child", () => {
    const facts = {
      ...allergic('block'),
      needs: new Map([[999, { allergies: ['Milk'], diet: 'none' as const }]]),
    }
    expect(told(refusalOf([line({ studentId: 999 })], facts))).toEqual([
      { index: 0, code: 'student_not_found', message: expect.any(String) },
    ])
  })

  test.each(['block', 'warn'] as const)('given instead of another one (rule: %s)', (allergyRule) => {
    const substitution = (accepted: boolean) => ({
      line: line({ acknowledged: accepted }),
      item: { ...nshima, allergens: ['Milk'] },
      today: tuesdayMeal.mealDate,
      isSoldOut: false,
      conflict: { allergens: ['Milk'], diets: [] },
      allergyRule,
      student: chanda,
      mealDate: tuesdayMeal.mealDate,
    })
    expect(substituteRefusal(substitution(false), monday7)).toBe('allergen_conflict')
    expect(substituteRefusal(substitution(true), monday7)).toBe(
      allergyRule === 'warn' ? null : 'allergen_conflict',
    )
  })
})

describe('a meal and the diet of the child', () => {
  const acknowledged = { acknowledged: true } as const

  test.each(['yes', 'unknown'] as const)(
    'is ordered without a question where the kitchen says %s',
    (says) => {
      expect(checked({}, halal(says, 'block'))).toEqual([tuesdayMeal])
    },
  )

  test('is ordered where the rule is to warn and it was accepted', () => {
    expect(checked(acknowledged, halal('no', 'warn'))).toEqual([{ ...tuesdayMeal, acknowledged: true }])
  })

  test.each([
    ['vegetarian', 'vegetarian'],
    ['no_pork', 'noPork'],
    ['no_beef', 'noBeef'],
    ['halal', 'halal'],
  ] as const)('of %s is asked for %s alone', (diet, name) => {
    const needs = new Map([[chanda.id, { allergies: null, diet }]])
    const others = { halal: 'no', vegetarian: 'no', noPork: 'no', noBeef: 'no', [name]: 'yes' } as const
    expect(checked({}, { ...menuWith({ diets: others }), needs })).toEqual([tuesdayMeal])
    const refused = refusalOf([line()], { ...menuWith({ diets: { ...unknownDiets, [name]: 'no' } }), needs })
    expect(told(refused)).toMatchObject([{ code: 'diet_conflict', diets: [name] }])
  })

  test('with an allergen too, both are named: one acceptance is of both', () => {
    const facts = halal('no', 'warn')
    const item = facts.items!.get(nshima.id)!
    const items = new Map([[nshima.id, { ...item, allergens: ['Milk'] }]])
    expect(told(refusalOf([line()], { ...facts, items }))).toMatchObject([
      { code: 'allergen_conflict', allergens: ['Milk'], diets: ['halal'] },
    ])
    expect(checked(acknowledged, { ...facts, items })).toEqual([{ ...tuesdayMeal, acknowledged: true }])
  })

  test('no word of its name counts', () => {
    expect(
      checked({}, { ...halal('unknown', 'block'), ...menuWith({ name: 'Bacon and pork plate' }) }),
    ).toMatchObject([{ item: { name: 'Bacon and pork plate' } }])
  })
})

describe('all lines or none', () => {
  test('each refused line is named by its place, the good ones are not', () => {
    const cart = [line({ studentId: 999 }), line(), line({ dayOfWeek: 3, category: 'fish' })]
    const refusal = refusalOf(cart)
    expect(told(refusal).map(({ index, code }) => [index, code])).toEqual([
      [0, 'student_not_found'],
      [2, 'protein_not_offered'],
    ])
    expect(refusal.message).toBe('2 meals in your cart cannot be ordered')
  })
  test('409 when one conflicts with an order or a reservation, else 422', () => {
    const bad = line({ dayOfWeek: 3, category: 'fish' })
    expect(refusalOf([bad]).status).toBe(422)
    expect(refusalOf([bad, line()], { slots: orderedBy(otherAttempt) }).status).toBe(409)
    expect(refusalOf([line()], { slots: heldBy(otherAttempt, after(monday7, 1)) }).status).toBe(409)
  })
})

const accepted = (change: Partial<CartLine>, facts: Partial<CartFacts> = {}) =>
  checkedCart([line(change)], { ...schoolFacts, ...facts })[0]!

describe('what is no reason to refuse', () => {
  test('today until the last millisecond before the cutoff', () => {
    const meal = accepted({ dayOfWeek: 1 }, { now: after(monday7, 60, -1) })
    expect(meal.mealDate).toBe('2026-09-14')
    expect(meal.cutoffAt).toBe(cutoffOf('2026-09-14').toISOString())
  })
  test.each(['6', '7', '8', '9', '10', '11', '12'])('a secondary meal for grade %s', (grade) => {
    const students = new Map([[chanda.id, { ...chanda, grade }]])
    expect(accepted({ menuItemId: stew.id }, { students }).item.name).toBe('Stew')
  })
  test.each(['ELC', 'K', '1', '2', '3', '4', '5'])('a primary meal for grade %s', (grade) => {
    expect(accepted({}, { students: new Map([[chanda.id, { ...chanda, grade }]]) }).item.name).toBe(
      nshima.name,
    )
  })
  test('a teacher without a side dish; one that is sent is dropped', () => {
    const teacher = { menuItemId: stew.id, studentId: mrPhiri.id }
    expect(accepted({ ...teacher, sideDish: null }).sideDish).toBeNull()
    expect(accepted({ ...teacher, sideDish: 'Chips' }).sideDish).toBeNull()
  })
  test('nothing chosen where nothing is offered', () => {
    const bare = { ...nshima, categories: [], sideDishes: [] }
    const meal = accepted({ category: null, sideDish: '' }, { items: new Map([[nshima.id, bare]]) })
    expect(meal).toMatchObject({ category: null, sideDish: null })
  })
  test('a reservation that has run out, or the own one, or the own order', () => {
    expect(accepted({}, { slots: heldBy(otherAttempt, monday7) })).toEqual(tuesdayMeal)
    expect(accepted({}, { slots: heldBy(attempt, after(monday7, 1)) })).toEqual(tuesdayMeal)
    expect(accepted({}, { slots: orderedBy(attempt) })).toEqual(tuesdayMeal)
  })
  test('a price that is 0.01 off; ours is what counts', () => {
    expect(accepted({ originalPrice: 45.51 }).price).toBe(4550)
    expect(accepted({ originalPrice: 45.49 }).price).toBe(4550)
  })
  test('a discount that the browser did not claim', () => {
    expect(accepted({}, off(100))).toMatchObject({
      originalPrice: 4550,
      price: 0,
      discountPercentage: 100,
    })
  })
  test('the discount of each child, and who pays it', () => {
    const discountOf = (studentId: number) =>
      studentId === chanda.id ? { percentage: 60, sponsor: 'Rotary' } : by(10)
    const cart = [line(), line({ studentId: bupe.id, menuItemId: stew.id })]
    const [ofChanda, ofBupe] = checkedCart(cart, { ...schoolFacts, discountOf })
    expect(ofChanda).toMatchObject({ price: 1820, discountPercentage: 60, sponsor: 'Rotary' })
    expect(ofBupe).toMatchObject({ discountPercentage: 10 })
    expect(ofBupe).not.toHaveProperty('sponsor')
  })
  test('the same child on another day, another child on the same day', () => {
    const cart = [
      line(),
      line({ dayOfWeek: 3 }),
      line({ weekNumber: 2 }),
      line({ studentId: bupe.id, menuItemId: stew.id }),
    ]
    expect(checkedCart(cart, schoolFacts).map(({ index, mealDate }) => [index, mealDate])).toEqual([
      [0, '2026-09-15'],
      [1, '2026-09-16'],
      [2, '2026-09-22'],
      [3, '2026-09-15'],
    ])
  })
})

const price = fc.integer({ min: 0, max: 99_999_999 })
const percentage = fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100)

test.each([
  [4550, 0, 4550],
  [4550, 100, 0],
  [4550, 10, 4095],
  [4550, 33.33, 3033],
  [1, 50, 1],
  [0, 10, 0],
])('%i ngwee with %d percent off are %i', (original, off, toPay) => {
  expect(priced(original, by(off))).toEqual({
    originalPrice: original,
    price: toPay,
    discountPercentage: off,
  })
})

test('a discounted price is whole ngwee between nothing and the price', () => {
  fc.assert(
    fc.property(price, percentage, (original, off) => {
      const { price: toPay } = priced(original, by(off))
      expect(Number.isInteger(toPay)).toBe(true)
      expect(toPay).toBeGreaterThanOrEqual(0)
      expect(toPay).toBeLessThanOrEqual(original)
      expect(Math.abs(toPay - (original * (100 - off)) / 100)).toBeLessThanOrEqual(0.5 + 1e-6)
    }),
  )
})

test('a larger discount never costs more', () => {
  fc.assert(
    fc.property(price, percentage, percentage, (original, one, other) => {
      const [less, more] = [Math.min(one, other), Math.max(one, other)]
      expect(priced(original, by(more)).price).toBeLessThanOrEqual(priced(original, by(less)).price)
    }),
  )
})

test('a claim in kwacha may be off by one ngwee and no more', () => {
  fc.assert(
    fc.property(price, fc.integer({ min: -3, max: 3 }), (ours, off) => {
      expect(differs(Number(((ours + off) / 100).toFixed(2)), ours)).toBe(Math.abs(off) > 1)
    }),
  )
})

const facts = {
  studentIds: new Set([chanda.id]),
  activeCycle: cycle,
  closures: [],
  items: new Map([[nshima.id, nshima]]),
  today: '2026-09-15',
}
const unavailableReason = (change: Partial<PaidLineFacts>) =>
  paidLineUnavailableReason(tuesdayMeal, { ...facts, ...change })

test('a paid line becomes an order', () => expect(unavailableReason({})).toBeNull())
test('the student is gone', () =>
  expect(unavailableReason({ studentIds: new Set() })).toBe('unknown_student'))
test('no cycle is active, or another', () => {
  expect(unavailableReason({ activeCycle: null })).toBe('cycle_inactive')
  expect(unavailableReason({ activeCycle: { ...cycle, id: 8 } })).toBe('cycle_inactive')
})
test('the day was blocked', () =>
  expect(unavailableReason({ activeCycle: { ...cycle, blockedDays: [{ week: 1, day: 2 }] } })).toBe(
    'day_blocked',
  ))
test('the day has passed', () => expect(unavailableReason({ today: '2026-09-16' })).toBe('day_past'))
test('the item is gone', () => expect(unavailableReason({ items: new Map() })).toBe('missing_item'))
test.each([{ isAvailable: false }, { isArchived: true }])('the item was withdrawn: %j', (change) =>
  expect(unavailableReason({ items: new Map([[nshima.id, { ...nshima, ...change }]]) })).toBe(
    'item_withdrawn',
  ),
)
test('a day that cannot be had comes before an item that was withdrawn', () => {
  const items = new Map([[nshima.id, { ...nshima, isArchived: true }]])
  expect(unavailableReason({ items, activeCycle: null })).toBe('cycle_inactive')
})
