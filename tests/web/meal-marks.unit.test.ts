import { markOf, type MealMarks } from '#contracts/health'

const chipo = { id: 1, name: 'Chipo', grade: '3' }
const stew = { name: 'Stew', allergens: ['Milk', 'Tree Nuts', 'Peanuts'], categories: ['beef', 'beans'] }
const marks: MealMarks = {
  rule: 'warn',
  students: [{ studentId: 1, allergies: ['peanuts', 'TREE NUTS'], diet: 'vegetarian' }],
}

test('an allergy is named with whose it is, and what the rule says of it', () => {
  expect(markOf(marks, chipo, stew)).toEqual({
    allergy: 'Contains tree nuts, peanuts – Chipo is allergic',
    diet: 'Check: vegetarian – beef',
    rule: 'warn',
  })
})

test('a diet goes by the protein that was chosen', () => {
  expect(markOf(marks, chipo, stew, 'beans').diet).toBeNull()
})

test('nothing is marked for somebody else, without allergens, or while nothing is known', () => {
  const nothing = { allergy: null, diet: null, rule: null }
  expect(markOf(marks, { ...chipo, id: 2 }, stew)).toEqual(nothing)
  expect(markOf(marks, chipo, { name: 'Rice', allergens: [], categories: [] })).toEqual(nothing)
  expect(markOf(undefined, chipo, stew)).toEqual(nothing)
})
