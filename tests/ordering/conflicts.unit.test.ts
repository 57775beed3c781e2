import { allergensMet } from '#contracts/allergens'
import {
  conflictsAmong,
  pairsInConflict,
  type ConflictFacts,
  type UpcomingMeal,
} from '#modules/ordering/conflicts/conflicts.decide'

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
const facts = (change: Partial<ConflictFacts> = {}): ConflictFacts => ({
  allergies: new Map([[chipo, ['Peanuts', 'Milk']]]),
  allergens: new Map([[stew, ['peanuts', 'Wheat']]]),
  accepted: [],
  ...change,
})
const accepted = (allergens: string[], by: 'family' | 'office' = 'family') => ({
  accepted: [{ studentId: chipo, date: meal.date, itemId: stew, allergens, by }],
})
const { acknowledged: _acknowledged, ...inConflict } = meal
const both = new Map([[stew, ['Peanuts', 'Milk']]])

test('allergens are told apart without regard to case, and named as the menu writes them', () => {
  expect(allergensMet(['PEANUTS'], ['Wheat', 'peanuts'])).toEqual(['peanuts'])
  expect(allergensMet(null, ['Wheat'])).toEqual([])
  expect(allergensMet(['Wheat'], undefined)).toEqual([])
})

test('a meal that contains what the child is allergic to is in conflict', () => {
  expect(conflictsAmong([meal], facts())).toEqual([
    { ...inConflict, allergens: ['peanuts'], acceptedByOffice: false },
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
  const [found] = conflictsAmong(meals, facts({ ...accepted(['Peanuts']), allergens: both }))
  expect(found).toMatchObject({ allergens: ['Milk'], acceptedByOffice: false })
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
  expect(pairsInConflict(facts({ allergens: new Map([[stew, ['Wheat']]]) }))).toEqual([])
})
