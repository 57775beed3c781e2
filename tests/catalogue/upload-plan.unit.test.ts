import { planUpload } from '#modules/catalogue/upload-plan.decide'
import { nshima, nshimaItem } from './meals'

const row = (row: number, changed: Partial<typeof nshima> = {}) => ({ row, meal: { ...nshima, ...changed } })

test('a meal that is not on the menu is added', () => {
  expect(planUpload([row(2)], [])).toEqual({ inserts: [nshima], updates: [], problems: [] })
})

test('a meal that is on the menu is updated, keeping the spelling of its name and its picture', () => {
  const uploaded = { name: 'NSHIMA with beef stew', imageUrl: null, price: 5000, isAvailable: false }
  expect(planUpload([row(2, uploaded)], [nshimaItem])).toEqual({
    inserts: [],
    updates: [{ ...nshima, id: 7, price: 5000, isAvailable: false }],
    problems: [],
  })
})

test('one common day of a common week makes it the same meal', () => {
  const { inserts, updates } = planUpload([row(2, { weekNumbers: [2, 5], daysOfWeek: [3, 4] })], [nshimaItem])
  expect(inserts).toEqual([])
  expect(updates).toEqual([{ ...nshima, id: 7, weekNumbers: [2, 5], daysOfWeek: [3, 4] }])
})

test.each([
  ['another week', { weekNumbers: [3] }],
  ['another day', { daysOfWeek: [5] }],
  ['another type', { type: 'secondary' as const }],
  ['another name', { name: 'Nshima' }],
])('the meal in %s is another one', (_what, changed) => {
  expect(planUpload([row(2, changed)], [nshimaItem])).toEqual({
    inserts: [{ ...nshima, ...changed }],
    updates: [],
    problems: [],
  })
})

test('a meal that stands twice in the file counts once; the second row is told where the first is', () => {
  const { inserts, problems } = planUpload([row(2), row(5, { price: 1 })], [])
  expect(inserts).toEqual([nshima])
  expect(problems).toEqual([
    { row: 5, column: 'name', message: 'The same meal for the same day stands in row 2' },
  ])
})

test('that holds for a meal of the menu too, by the days the file gives it', () => {
  const moved = row(2, { weekNumbers: [2, 3] })
  const plan = planUpload([moved, row(3, { weekNumbers: [3] }), row(4, { weekNumbers: [1] })], [nshimaItem])
  expect(plan.updates.map(({ weekNumbers }) => weekNumbers)).toEqual([[2, 3]])
  expect(plan.inserts.map(({ weekNumbers }) => weekNumbers)).toEqual([[1]])
  expect(plan.problems.map(({ row }) => row)).toEqual([3])
})

test('a meal that several items are is left to a person', () => {
  const friday = { ...nshimaItem, id: 8, daysOfWeek: [5] }
  expect(planUpload([row(2, { daysOfWeek: [1, 5] })], [nshimaItem, friday])).toEqual({
    inserts: [],
    updates: [],
    problems: [
      {
        row: 2,
        column: 'name',
        message: 'Several menu items have this name, type and day; change them one by one',
      },
    ],
  })
})

test('meals are added in the order of their rows', () => {
  const names = ['Pie', 'Ants', 'Soup']
  const rows = names.map((name, index) => row(index + 2, { name }))
  expect(planUpload(rows, []).inserts.map(({ name }) => name)).toEqual(names)
})

test('what a column tells that the file lacks stays as the item has it; of a new item there is none', () => {
  const empty = {
    description: null,
    proteinDescriptions: {},
    allergens: [],
    sideDishes: [],
    isAvailable: true,
  }
  const item = { ...nshimaItem, isAvailable: false }
  const told = row(2, { ...empty, price: 5000, categories: ['vegetarian', 'fish'] })
  const missing = ['description', 'proteinDescriptions', 'allergens', 'sideDishes', 'isAvailable'] as const
  expect(planUpload([told], [item], missing).updates).toEqual([
    {
      ...nshima,
      id: 7,
      price: 5000,
      categories: ['vegetarian', 'fish'],
      proteinDescriptions: {},
      isAvailable: false,
    },
  ])
  expect(planUpload([told], [item], []).updates).toMatchObject([{ ...empty, id: 7 }])
  expect(planUpload([told], [], missing).inserts).toMatchObject([empty])
})
