import * as fc from 'fast-check'
import { unknownDiets } from '#contracts/catalogue'
import { leftCodes, type LeftCode } from '#contracts/plan'
import { lunchId } from '#kernel/id'
import { addDays, instantAt } from '#kernel/school-time'
import type { FamilyPlan } from '#modules/ordering/plan/events'
import { decideWeek, leftMessages, type WeekFacts } from '#modules/ordering/plan/plan-week.decide'
import { freeSlot } from '#modules/ordering/slot/meal-slot'
import { mealSlot } from '#modules/ordering/slot/meal-slot.decide'
import { fold } from '../support/given-when-then'
import { tries } from '../support/tries'
import { bupe, chanda, ordered, nshima, otherAttempt, schoolFacts, stew, zone } from './lunches'

/** Monday of week 1 at four in the morning; Tuesday to Friday and this Monday are open. */
const week = '2026-09-14'
const facts: WeekFacts = {
  ...schoolFacts,
  now: instantAt(week, 4, 0, zone),
  hasPortion: () => true,
  cancelled: new Set(),
  skipped: [],
  closeMs: 0,
  balance: 0,
}
const dishOf = (item: { id: number }, price = 4550) => ({
  menuItemId: item.id,
  category: 'beef',
  sideDish: 'Cabbage',
  price,
})
const planOf = (
  days: FamilyPlan['children'][number]['days'],
  more: Partial<FamilyPlan> = {},
): FamilyPlan => ({
  children: [{ studentId: chanda.id, days }],
  at: { day: 0, hour: 17, minute: 0 },
  pay: { by: 'bank' },
  weekLimit: null,
  ...more,
})
const nshimaOn = (...days: number[]) => planOf(days.map((day) => ({ day, dishes: [dishOf(nshima)] })))
const codesOf = (plan: FamilyPlan, more: Partial<WeekFacts> = {}) =>
  decideWeek(plan, week, { ...facts, ...more }).left.map(({ code }) => code)

/** Eight o'clock, so many days before. */
const withLeads = (date: string, leadDays = 0): Date => instantAt(addDays(date, -leadDays), 8, 0, zone)

const beans = { ...nshima, id: 8, name: 'Beans' }
const withItems = (...items: (typeof nshima)[]) =>
  new Map([nshima, stew, ...items].map((item) => [item.id, item]))
const tuesdaySlot = (events: Parameters<typeof fold<typeof freeSlot, never>>[1]) =>
  new Map([
    [
      lunchId({ studentId: chanda.id, date: '2026-09-15' }),
      fold(mealSlot as never, events) as typeof freeSlot,
    ],
  ])

describe('a week of a plan', () => {
  test('is the first dish of each day that can be ordered', () => {
    const gone = { ...nshima, isArchived: true }
    const plan = planOf([{ day: 2, dishes: [dishOf(nshima), dishOf(beans)] }])
    const { lines } = decideWeek(plan, week, { ...facts, items: withItems(gone, beans) })
    expect(lines).toEqual([
      expect.objectContaining({ name: 'Beans', date: '2026-09-15', week: 1, day: 2, price: 4550 }),
    ])
  })

  test.each<[LeftCode, Partial<WeekFacts>]>([
    [
      'already_ordered',
      { slots: tuesdaySlot([ordered(1, facts.now, { attemptId: otherAttempt })] as never) },
    ],
    ['day_blocked', { cycle: { ...schoolFacts.cycle!, blockedDays: [{ week: 1, day: 2 }] } }],
    ['cutoff_passed', { now: instantAt('2026-09-15', 8, 0, zone) }],
    ['cutoff_passed', { now: instantAt('2026-09-15', 7, 30, zone), closeMs: 30 * 60_000 }],
    ['not_offered', { items: withItems({ ...nshima, daysOfWeek: [1] }) }],
    ['not_offered', { items: new Map() }],
    ['sold_out', { hasPortion: () => false }],
    ['sold_out', { items: withItems({ ...nshima, soldOutDates: ['2026-09-15'] }) }],
    ['price_rose', { items: withItems({ ...nshima, price: 4551 }) }],
    ['cancelled_before', { cancelled: new Set(['118.2026-09-15']) }],
    ['skipped', { skipped: [{ studentId: chanda.id, date: '2026-09-15' }] }],
    [
      'allergen_conflict',
      {
        allergyRule: 'warn',
        items: withItems({ ...nshima, allergens: ['Milk'] }),
        needs: new Map([[chanda.id, { allergies: ['Milk'], diet: 'none' as const }]]),
      },
    ],
    [
      'diet_conflict',
      {
        items: withItems({ ...nshima, diets: { ...unknownDiets, vegetarian: 'no' } as never }),
        needs: new Map([[chanda.id, { allergies: [], diet: 'vegetarian' as const }]]),
      },
    ],
  ])('leaves a day out: %s', (code, more) => expect(codesOf(nshimaOn(2), more)).toEqual([code]))

  test('names what is wrong with the first dish', () => {
    const plan = planOf([{ day: 2, dishes: [dishOf(nshima, 4549), dishOf(stew)] }])
    expect(codesOf(plan)).toEqual(['price_rose'])
  })

  describe('with a dish that closes a day earlier', () => {
    const early = { ...nshima, leadDays: 1 }
    const items = withItems(early, beans)
    const both = planOf([{ day: 2, dishes: [dishOf(early), dishOf(beans)] }])
    const at = (hour: number, minute: number): Partial<WeekFacts> => ({
      items,
      cutoffOf: withLeads,
      now: instantAt(week, hour, minute, zone),
    })
    const ordered = (more: Partial<WeekFacts>) =>
      decideWeek(both, week, { ...facts, ...more }).lines.map(({ name }) => name)

    test('orders it until its own line', () => expect(ordered(at(7, 59))).toEqual([early.name]))
    test('orders the next dish after its line, while the day is open', () => {
      expect(ordered(at(8, 0))).toEqual(['Beans'])
      expect(ordered({ ...at(7, 30), closeMs: 30 * 60_000 })).toEqual(['Beans'])
    })
    test('leaves the day out where there is no other dish', () => {
      expect(codesOf(nshimaOn(2), at(7, 59))).toEqual([])
      expect(codesOf(nshimaOn(2), at(8, 0))).toEqual(['cutoff_passed'])
      expect(codesOf(nshimaOn(2), { ...at(7, 30), closeMs: 30 * 60_000 })).toEqual(['cutoff_passed'])
    })
    test('says what is wrong with it first where no other dish can be ordered either', () => {
      const dear = withItems(early, { ...beans, price: 4551 })
      expect(codesOf(both, { ...at(8, 0), items: dear })).toEqual(['cutoff_passed'])
    })
    test('leaves out what the family skipped or took away for that reason', () => {
      const tuesday = { studentId: chanda.id, date: '2026-09-15' }
      expect(codesOf(nshimaOn(2), { ...at(8, 0), skipped: [tuesday] })).toEqual(['skipped'])
      expect(codesOf(both, { ...at(8, 0), cancelled: new Set([lunchId(tuesday)]) })).toEqual([
        'cancelled_before',
      ])
    })
  })

  test('ends with the first line above its limit', () => {
    const limited = { ...nshimaOn(1, 2, 3), weekLimit: 9100 }
    expect(decideWeek(limited, week, facts)).toMatchObject({
      lines: [{ day: 1 }, { day: 2 }],
      left: [{ code: 'week_limit' }],
    })
  })

  test('by credit is what the balance covers', () => {
    const plan: FamilyPlan = { ...nshimaOn(1, 2, 3), pay: { by: 'credit' } }
    expect(decideWeek(plan, week, { ...facts, balance: 9100 })).toMatchObject({
      lines: [{ day: 1 }, { day: 2 }],
      left: [{ code: 'credit_short' }],
      credit: 9100,
    })
  })

  test('has nothing outside of the cycle, and nobody who left the family', () => {
    const nothing = { lines: [], left: [], credit: 0 }
    expect(decideWeek(nshimaOn(1), '2026-09-07', facts)).toEqual(nothing)
    expect(decideWeek(nshimaOn(1), week, { ...facts, cycle: null })).toEqual(nothing)
    expect(decideWeek(nshimaOn(1), week, { ...facts, students: new Map() })).toEqual(nothing)
  })

  test('has a sentence for every code', () =>
    expect(leftCodes.filter((code) => !leftMessages[code])).toEqual([]))

  const dishes = fc
    .array(fc.tuple(fc.constantFrom(nshima.id, stew.id, beans.id), fc.integer({ min: 3000, max: 6000 })), {
      minLength: 1,
      maxLength: 3,
    })
    .map((chosen) => chosen.map(([id, price]) => dishOf({ id }, price)))
  const days = fc
    .uniqueArray(fc.integer({ min: 1, max: 5 }), { minLength: 1 })
    .chain((chosen) => fc.tuple(...chosen.map((day) => dishes.map((of) => ({ day, dishes: of })))))
  const anyPlan: fc.Arbitrary<FamilyPlan> = fc.record({
    children: fc.tuple(days, days).map(([one, other]) => [
      { studentId: chanda.id, days: one },
      { studentId: bupe.id, days: other },
    ]),
    at: fc.constant({ day: 0, hour: 17, minute: 0 }),
    pay: fc.constantFrom({ by: 'credit' as const }, { by: 'bank' as const }),
    weekLimit: fc.option(fc.integer({ min: 0, max: 40_000 })),
  })
  const lunches = fc.subarray(
    [chanda, bupe].flatMap(({ id }) =>
      [14, 15, 16, 17, 18].map((day) => ({ studentId: id, date: `2026-09-${day}` })),
    ),
  )
  const anyFacts = fc
    .record({
      prices: fc.array(fc.integer({ min: 0, max: 7000 }), { minLength: 3, maxLength: 3 }),
      leads: fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 3, maxLength: 3 }),
      discountPercentage: fc.constantFrom(0, 10, 100),
      cancelled: lunches,
      skipped: lunches,
      balance: fc.integer({ min: 0, max: 40_000 }),
      portions: fc.integer({ min: 0, max: 4 }),
      minutes: fc.integer({ min: -600, max: 4 * 1440 }),
    })
    .map(({ prices, leads, cancelled, portions, minutes, ...known }): WeekFacts => ({
      ...facts,
      ...known,
      cutoffOf: withLeads,
      now: new Date(facts.now.getTime() + minutes * 60_000),
      items: new Map(
        [nshima, stew, beans].map((item, index) => [
          item.id,
          { ...item, price: prices[index]!, leadDays: leads[index]! },
        ]),
      ),
      cancelled: new Set(cancelled.map(lunchId)),
      hasPortion: (line, taken) =>
        taken.filter((one) => one.menuItemId === line.menuItemId && one.date === line.date).length < portions,
    }))

  test('keeps every promise, whatever plan and facts are', () => {
    fc.assert(
      fc.property(anyPlan, anyFacts, (plan, known) => {
        const { lines, left, credit } = decideWeek(plan, week, known)
        const total = lines.reduce((sum, { price }) => sum + price, 0)
        const each = [...lines, ...left].map(lunchId)
        expect(new Set(each).size).toBe(each.length)
        expect(each.length).toBe(plan.children.flatMap((child) => child.days).length)
        expect(total).toBeLessThanOrEqual(plan.weekLimit ?? Infinity)
        expect(credit).toBe(Math.min(total, known.balance))
        if (plan.pay.by === 'credit') expect(total).toBe(credit)
        for (const line of lines) {
          const child = plan.children.find(({ studentId }) => studentId === line.studentId)!
          const wanted = child.days
            .find(({ day }) => day === line.day)!
            .dishes.filter(({ menuItemId }) => menuItemId === line.menuItemId)
          expect(line.price).toBeLessThanOrEqual(Math.max(...wanted.map(({ price }) => price)))
          expect(known.cancelled.has(lunchId(line))).toBe(false)
          expect(known.skipped.map(lunchId)).not.toContain(lunchId(line))
          const { leadDays } = known.items.get(line.menuItemId)!
          expect(known.now < known.cutoffOf(line.date, leadDays)).toBe(true)
        }
      }),
      { numRuns: tries(3_000) },
    )
  })
})
