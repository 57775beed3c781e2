import { problemText, readUploadRow } from '#modules/catalogue/upload-row.decide'

const row = {
  name: ' Nshima with beef stew ',
  description: 'Slow, warm',
  price: '45.50',
  type: 'Primary',
  categories: 'Beef, chicken,,',
  proteinDescriptions: 'Beef:Slow-cooked: six hours|chicken: Free range ',
  weekNumbers: '1, 2,6',
  daysOfWeek: '1,3',
  allergens: 'Milk, Tree Nuts',
  sideDishes: 'Chips, Salad',
  isAvailable: 'TRUE',
}
const reading = (changed: Partial<typeof row>) =>
  readUploadRow(new Map(Object.entries({ ...row, ...changed })))

test('a row is read as the form it fills', () => {
  expect(reading({})).toEqual({
    form: {
      name: 'Nshima with beef stew',
      description: 'Slow, warm',
      price: '45.50',
      type: 'primary',
      categories: ['beef', 'chicken'],
      proteinDescriptions: { beef: 'Slow-cooked: six hours', chicken: ' Free range' },
      weekNumbers: [1, 2, 6],
      daysOfWeek: [1, 3],
      allergens: ['Milk', 'Tree Nuts'],
      sideDishes: ['Chips', 'Salad'],
      isAvailable: true,
    },
    problems: [],
  })
})

test('a column that the file lacks is an empty cell', () => {
  expect(readUploadRow(new Map([['name', 'Soup']]))).toEqual({
    form: {
      name: 'Soup',
      description: '',
      price: '',
      type: '',
      categories: [],
      proteinDescriptions: {},
      weekNumbers: [],
      daysOfWeek: [],
      allergens: [],
      sideDishes: [],
      isAvailable: true,
    },
    problems: [],
  })
})

test.each(['none', 'None', ' NONE ', ''])('allergens %j are none', (allergens) => {
  expect(reading({ allergens }).form.allergens).toEqual([])
})

test.each([
  ['true', true],
  ['Yes', true],
  ['1', true],
  ['', true],
  ['FALSE', false],
  ['no', false],
  ['0', false],
])('isAvailable %j is %s', (isAvailable, meaning) => {
  expect(reading({ isAvailable })).toMatchObject({ form: { isAvailable: meaning }, problems: [] })
})

test('any other word for isAvailable is a problem of that column', () => {
  expect(reading({ isAvailable: 'maybe' }).problems).toEqual([
    { column: 'isAvailable', message: 'isAvailable must be true or false' },
  ])
})

test.each(['Monday', '1.5', '-1', '1;2', '1e1'])('%j is no day number', (daysOfWeek) => {
  expect(reading({ daysOfWeek }).form.daysOfWeek).toEqual([Number.NaN])
})

test.each(['beef', ':Slow', 'beef:Slow|chicken'])(
  'descriptions %j are not written as pairs',
  (proteinDescriptions) => {
    expect(reading({ proteinDescriptions }).problems).toEqual([
      {
        column: 'proteinDescriptions',
        message: 'Protein descriptions are written protein:description and joined by |',
      },
    ])
  },
)

test('a description of a protein that the meal does not offer is a problem', () => {
  expect(reading({ proteinDescriptions: 'fish:From the lake' }).problems).toEqual([
    { column: 'proteinDescriptions', message: '"fish" is not among the categories' },
  ])
})

test('a protein called like a property of objects is a protein', () => {
  const { form, problems } = reading({ categories: '__proto__', proteinDescriptions: '__proto__:Odd' })
  expect(problems).toEqual([])
  expect(Object.entries(form.proteinDescriptions)).toEqual([['__proto__', 'Odd']])
})

test('a problem names its row and column', () => {
  expect(problemText({ row: 3, column: 'price', message: 'Price must be …' })).toBe(
    'Row 3, price: Price must be …',
  )
  expect(problemText({ row: 3, column: null, message: 'More cells than columns' })).toBe(
    'Row 3: More cells than columns',
  )
})
