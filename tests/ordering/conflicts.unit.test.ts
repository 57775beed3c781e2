import * as fc from 'fast-check'
import { allergensMet, conflictOf } from '#contracts/allergens'
import { dietAnswers, unknownDiets, type DishDiets } from '#contracts/catalogue'
import { diets, isConflict, type Diet, type MealConflict } from '#contracts/health'
import type { MealLine } from '#kernel/meal-line'
import { Refusal } from '#kernel/refusal'
import { acknowledgeMeals } from '#modules/ordering/cart/cart.commands'
import { type CartFacts, checkedCart } from '#modules/ordering/cart/cart.decide'
import { substituteRefusal } from '#modules/ordering/cart/line-policies.decide'
import {
  type ConflictFacts,
  type UpcomingMeal,
  conflictsAmong,
  pairsInConflict,
} from '#modules/ordering/conflicts/conflicts.decide'
import type { AcknowledgedBy, ConflictOfMeal } from '#modules/ordering/ports'
import { type SlotEvent, ordersOf } from '#modules/ordering/slot/meal-slot'
import { type SlotCommand, mealSlot } from '#modules/ordering/slot/meal-slot.decide'
import type { OrderedMeal } from '#modules/ordering/slot/order'
import { fold } from '../support/given-when-then'
import { standIn } from '../support/stand-ins'
import { allTried, tries } from '../support/tries'
import {
  attempt,
  chanda,
  mary,
  monday7,
  nshima,
  schoolFacts,
  tuesdayBy,
  tuesdayMeal,
  tuesdayNshima,
} from './lunches'
import { orderFrom } from './slot-words'

const chipo = 118
const stew = 4
const meal: UpcomingMeal = {
  orderId: '118.2026-09-15.1',
  studentId: chipo,
  student: 'Chipo',
  date: '2026-09-15',
  itemId: stew,
  item: 'Stew',
  acknowledged: false,
}
const contents = (allergens: string[], noPork: DishDiets['noPork'] = 'unknown') =>
  new Map([[stew, { allergens, diets: { ...unknownDiets, halal: 'no' as const, noPork } }]])
const facts = (change: Partial<ConflictFacts> = {}): ConflictFacts => ({
  needs: new Map([[chipo, { allergies: ['Peanuts', 'Milk'], diet: 'no_pork' }]]),
  contents: contents(['peanuts', 'Wheat']),
  accepted: [],
  ...change,
})
const accepted = (
  allergens: string[],
  by: 'family' | 'office' = 'family',
  dietsAccepted: MealConflict['diets'] = [],
) => ({
  accepted: [{ studentId: chipo, date: meal.date, itemId: stew, allergens, diets: dietsAccepted, by }],
})
const { acknowledged: _acknowledged, ...inConflict } = meal
const both = contents(['Peanuts', 'Milk'])

test('allergens are told apart without regard to case, and named as the menu writes them', () => {
  expect(allergensMet(['PEANUTS'], ['Wheat', 'peanuts'])).toEqual(['peanuts'])
  expect(allergensMet(null, ['Wheat'])).toEqual([])
  expect(allergensMet(['Wheat'], undefined)).toEqual([])
})

test('a meal that contains what the child is allergic to is in conflict', () => {
  expect(conflictsAmong([meal], facts())).toEqual([
    { ...inConflict, allergens: ['peanuts'], diets: [], acceptedByOffice: false },
  ])
})

test('another child, and another item, is not', () => {
  const others = [
    { ...meal, studentId: 119 },
    { ...meal, itemId: 5 },
  ]
  expect(conflictsAmong(others, facts())).toEqual([])
})

test('nor is one that the family has accepted', () => {
  const meals = [{ ...meal, acknowledged: true }]
  expect(conflictsAmong(meals, facts(accepted(['Peanuts'])))).toEqual([])
})

test('an allergen that came later is in conflict all the same', () => {
  const meals = [{ ...meal, acknowledged: true }]
  const [found] = conflictsAmong(meals, facts({ ...accepted(['Peanuts']), contents: both }))
  expect(found).toMatchObject({ allergens: ['Milk'], acceptedByOffice: false })
})

test('a meal against the diet of the child is in conflict, until the family accepts that', () => {
  const pork = { contents: contents([], 'no') }
  expect(conflictsAmong([meal], facts(pork))).toEqual([
    { ...inConflict, allergens: [], diets: ['noPork'], acceptedByOffice: false },
  ])
  expect(pairsInConflict(facts(pork))).toEqual([{ studentId: chipo, itemId: stew }])
  for (const says of ['yes', 'unknown'] as const)
    expect(conflictsAmong([meal], facts({ contents: contents([], says) }))).toEqual([])
  const meals = [{ ...meal, acknowledged: true }]
  expect(conflictsAmong(meals, facts({ ...pork, ...accepted(['Peanuts']) }))).toHaveLength(1)
  expect(conflictsAmong(meals, facts({ ...pork, ...accepted([], 'family', ['noPork']) }))).toEqual([])
})

test('what was accepted of another order of that day counts for nothing', () => {
  expect(conflictsAmong([meal], facts(accepted(['Peanuts'])))).toHaveLength(1)
  const meals = [{ ...meal, acknowledged: true }]
  const other = { accepted: [{ ...accepted(['Peanuts']).accepted[0]!, itemId: 5 }] }
  expect(conflictsAmong(meals, facts(other))).toHaveLength(1)
})

test('what the office has accepted is still for the family to look at', () => {
  const meals = [{ ...meal, acknowledged: true }]
  const [found] = conflictsAmong(meals, facts(accepted(['Peanuts'], 'office')))
  expect(found).toMatchObject({ allergens: ['peanuts'], acceptedByOffice: true })
})

test('who cannot eat what, pair by pair', () => {
  expect(pairsInConflict(facts())).toEqual([{ studentId: chipo, itemId: stew }])
  expect(pairsInConflict(facts({ contents: contents(['Wheat']) }))).toEqual([])
})

const names = ['Milk', 'Peanuts', 'eggs'] as const
const some = fc.uniqueArray(fc.constantFrom(...names, 'MILK', 'Eggs'), { maxLength: 3 })
const itemId = fc.constantFrom(3, 13)
const answer = fc.constantFrom(...dietAnswers)
const wish = fc.record({ itemId, acknowledged: fc.boolean() })

/** Whatever brings a child and a meal together: ordered, paid late, changed, given, cancelled and placed again, edited. */
const step = fc.oneof(
  wish.map((asked) => ({ ...asked, do: 'order' as const, byCard: false })),
  wish.map((asked) => ({ ...asked, do: 'order' as const, byCard: true })),
  fc.constant({ do: 'pay' as const }),
  wish.map((asked) => ({ ...asked, do: 'change' as const })),
  wish.map((asked) => ({ ...asked, do: 'substitute' as const })),
  fc.constant({ do: 'cancel' as const }),
  fc.constant({ do: 'reopen' as const }),
  fc.record({ do: fc.constant('declare' as const), allergies: some, diet: fc.constantFrom(...diets) }),
  fc.record({
    do: fc.constant('edit' as const),
    itemId,
    allergens: some,
    diets: fc.record({ halal: answer, vegetarian: answer, noPork: answer, noBeef: answer }),
  }),
  fc.constantFrom('block', 'warn').map((rule) => ({ do: 'rule' as const, rule })),
)
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

const mealOf = ({ item, category, sideDish, comments, acknowledged }: MealLine): OrderedMeal => {
  const price = { originalPrice: 4550, price: 4550, discountPercentage: 0 }
  return { item, category, sideDish, comments, ...price, ...(acknowledged && { acknowledged }) }
}

const nothing: MealConflict = { allergens: [], diets: [] }

/** One child's Tuesday, and what was said of each order that has it: by whom, and what they knew then. */
const tuesday = () => {
  let events: SlotEvent[] = []
  let needs: { allergies: string[]; diet: Diet } = { allergies: [], diet: 'none' }
  let allergyRule: 'block' | 'warn' = 'block'
  let unpaid: { line: MealLine; attemptId: string; said: MealConflict } | null = null
  let number = 0
  const items = new Map([3, 13].map((id) => [id, { ...nshima, id, allergens: [] as string[] }]))
  const accepted = new Map<string, ConflictOfMeal & { by: AcknowledgedBy }>()
  const said = new Map<string, MealConflict>()

  const slot = () => fold(mealSlot, events)
  const facts = (): CartFacts => ({
    ...schoolFacts,
    items,
    allergyRule,
    needs: new Map([[chanda.id, needs]]),
  })
  const known = (id: number) => conflictOf(needs, items.get(id))
  const acknowledge = async (meals: readonly ConflictOfMeal[], by: AcknowledgedBy) => {
    for (const meal of meals) accepted.set(`${meal.date}.${meal.itemId}`, { ...meal, by })
  }
  const decide = (command: SlotCommand) => {
    const made = mealSlot.decide(command, slot())
    events = [...events, ...made]
    return made.length > 0
  }
  const standing = () => ordersOf(slot()).find(({ status }) => status === 'pending')

  const checked = async (asked: { itemId: number; acknowledged: boolean }) => {
    const line = { ...tuesdayNshima, menuItemId: asked.itemId, acknowledged: asked.acknowledged }
    const [meal] = checkedCart([line], facts())
    await acknowledgeMeals(standIn({ acknowledge }), [meal!], facts(), 'family')
    return meal!
  }
  const place = (line: MealLine, attemptId: string, knew: MealConflict) => {
    const paying = { userId: mary, paymentStatus: 'confirmed', now: monday7 } as const
    if (decide({ kind: 'order', attemptId, line, ...paying })) said.set(standing()!.id, knew)
  }

  const take = async (one: Step): Promise<unknown> => {
    const changeId = `0199c0de-0000-4000-8000-${String((number += 1)).padStart(12, '0')}`
    const order = standing()
    switch (one.do) {
      case 'order': {
        const line = await checked(one)
        const knew = one.acknowledged ? known(one.itemId) : nothing
        const asked = { line, attemptId: `${attempt.slice(0, -12)}${changeId.slice(-12)}`, said: knew }
        return one.byCard ? (unpaid ??= asked) : place(asked.line, asked.attemptId, asked.said)
      }
      case 'pay': {
        const paid = unpaid
        unpaid = null
        return paid && place(paid.line, paid.attemptId, paid.said)
      }
      case 'change': {
        if (!order) return null
        const meal = mealOf(await checked(one))
        const day = tuesdayBy()
        const orderId = order.id
        const changed = decide({ kind: 'change', orderId, changeId, userId: mary, meal, day, now: monday7 })
        return (
          (changed || one.acknowledged) && said.set(orderId, one.acknowledged ? known(one.itemId) : nothing)
        )
      }
      case 'substitute': {
        if (!order) return null
        const item = items.get(one.itemId)!
        const conflict = known(one.itemId)
        const line = { ...tuesdayNshima, menuItemId: item.id, acknowledged: one.acknowledged }
        const { mealDate } = tuesdayMeal
        const substitution = { line, item, conflict, allergyRule, student: chanda, mealDate }
        if (substituteRefusal({ ...substitution, today: '2026-09-14', isSoldOut: false }, monday7))
          return null
        const meal = mealOf({
          ...tuesdayMeal,
          item: { id: item.id, name: item.name, type: item.type },
          ...(isConflict(conflict) && { acknowledged: true as const }),
        })
        if (meal.acknowledged)
          await acknowledge(
            [{ studentId: chanda.id, date: mealDate, itemId: item.id, ...conflict }],
            'office',
          )
        const changed = decide({ kind: 'substitute', orderId: order.id, changeId, meal, now: monday7 })
        return (changed || meal.acknowledged) && said.set(order.id, one.acknowledged ? conflict : nothing)
      }
      case 'cancel':
        return (
          order && decide({ kind: 'cancel', orderId: order.id, by: { role: 'administrator' }, now: monday7 })
        )
      case 'reopen': {
        const last = ordersOf(slot()).at(-1)
        return last && decide({ kind: 'reopen', orderId: last.id, now: monday7 })
      }
      case 'declare':
        return (needs = one)
      case 'edit':
        return items.set(one.itemId, {
          ...items.get(one.itemId)!,
          allergens: one.allergens,
          diets: one.diets,
        })
      case 'rule':
        return (allergyRule = one.rule as 'block' | 'warn')
    }
  }

  return {
    take: async (one: Step) => {
      await take(one).catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error
      })
    },
    /** What of the child's standing order nobody has accepted, by what was said of it. */
    unaccepted: () => {
      const order = standing()
      if (!order) return nothing
      const answered = said.get(order.id) ?? nothing
      const { allergens, diets: against } = known(order.meal.item.id)
      const isAnswered = allergensMet(answered.allergens, names)
      return {
        allergens: allergens.filter((name) => allergensMet([name], isAnswered).length === 0),
        diets: against.filter((name) => !answered.diets.includes(name)),
      }
    },
    /** What parents and kitchen are shown of it. */
    listed: () => {
      const order = standing()
      const row = order && orderFrom(events, order.id)
      const meal: UpcomingMeal[] = row
        ? [
            {
              orderId: row.id,
              studentId: row.student_id,
              student: row.student_name,
              date: row.meal_date,
              itemId: row.item_id,
              item: row.item_name,
              acknowledged: row.acknowledged,
            },
          ]
        : []
      return conflictsAmong(meal, {
        needs: new Map([[chanda.id, needs]]),
        contents: items,
        accepted: [...accepted.values()],
      })
    },
  }
}

test('whatever happens, a meal with something against it is accepted or shown', async () => {
  let seen = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      const day = tuesday()
      for (const one of steps) {
        await day.take(one)
        const open = day.unaccepted()
        if (!isConflict(open)) continue
        seen += 1
        const [shown] = day.listed()
        expect(shown?.acceptedByOffice).toBe(false)
        expect(shown?.allergens).toEqual(expect.arrayContaining([...open.allergens]))
        expect(shown?.diets).toEqual(expect.arrayContaining([...open.diets]))
      }
    }),
    { numRuns: tries(400) },
  )
  if (allTried) expect(seen).toBeGreaterThan(0)
})
