import { header, pieRow, soupRow, startCatalogueOnly, stewRow } from './catalogue-only'
import { eventually } from '../support/eventually'

let school: Awaited<ReturnType<typeof startCatalogueOnly>>
beforeAll(async () => {
  school = await startCatalogueOnly()
})
beforeEach(() => school.reset())
afterAll(() => school.close())

const nothing = {
  successCount: 0,
  createdCount: 0,
  changedCount: 0,
  changed: [],
  errorCount: 0,
  errors: [],
}
const names = async () => (await school.menu()).map(({ name }) => name)

test('the rows of a file become items of the menu', async () => {
  expect(await school.upload(header, soupRow, pieRow)).toEqual({
    successCount: 2,
    createdCount: 2,
    changedCount: 0,
    changed: [],
    errorCount: 0,
    errors: [],
  })
  expect(await school.menu()).toEqual([
    {
      id: 1,
      name: 'Soup',
      description: 'With bread, warm',
      price: '30.00',
      imageUrl: null,
      type: 'primary',
      categories: ['vegetarian'],
      proteinDescriptions: { vegetarian: 'Beans' },
      weekNumbers: [1, 2],
      daysOfWeek: [1, 5],
      allergens: [],
      sideDishes: ['Bread', 'Salad'],
      isAvailable: true,
      portionLimit: null,
      isArchived: false,
    },
    {
      id: 2,
      name: 'Pie',
      description: null,
      price: '45.50',
      imageUrl: null,
      type: 'secondary',
      categories: ['beef', 'chicken'],
      proteinDescriptions: { beef: 'Slow', chicken: 'Free range' },
      weekNumbers: [3],
      daysOfWeek: [2],
      allergens: ['Wheat', 'Eggs'],
      sideDishes: [],
      isAvailable: false,
      portionLimit: null,
      isArchived: false,
    },
  ])
})

test('bad rows are told by row and column, good ones are stored all the same', async () => {
  const outcome = await school.upload(
    header,
    soupRow,
    stewRow('Stew', '-5'),
    '',
    ',,,,,,,,,,',
    ',,5,dessert,,,0,"1,9",none,,maybe',
    stewRow('Goulash'),
    'Curry,,20,primary,beef,1,2,none,,true,more,and more',
    'Fish,,20,primary,fish,beef:Odd,1,1,none,,true',
    stewRow('x'.repeat(121)),
  )
  expect(outcome).toEqual({
    successCount: 2,
    createdCount: 2,
    changedCount: 0,
    changed: [],
    errorCount: 5,
    errors: [
      'Row 3, price: Price must be a valid positive number with up to 2 decimal places',
      'Row 6, isAvailable: isAvailable must be true or false',
      'Row 6, name: Name is required',
      'Row 6, type: Type must be primary or secondary',
      'Row 6, categories: Select at least one category',
      'Row 6, weekNumbers: Weeks are numbers from 1 to 6',
      'Row 6, daysOfWeek: Days are numbers from 1 to 5',
      'Row 8: This row has 12 cells and the headings have 11. Put quotes around what has the separator in it.',
      'Row 9, proteinDescriptions: "beef" is not among the categories',
      'Row 10, name: Name can have at most 120 characters',
    ],
  })
  expect(await names()).toEqual(['Soup', 'Goulash'])
})

test('a name of control characters alone is no name', async () => {
  expect((await school.upload(header, stewRow('\u0001'))).errors).toEqual(['Row 2, name: Name is required'])
})

describe('uploading again', () => {
  test('doubles nothing', async () => {
    await school.upload(header, soupRow, pieRow)
    const before = await school.menu()
    expect(await school.upload(header, soupRow, pieRow)).toEqual({ ...nothing, successCount: 2 })
    expect(await school.menu()).toEqual(before)
  })

  test('corrects the items, whose names stay as they are spelt', async () => {
    await school.upload(header, soupRow, pieRow)
    school.ordered.add(1)
    await school.upload(header, soupRow.replace('Soup', 'SOUP').replace(',30,', ',32.5,'), pieRow)
    const [first, ...others] = await school.menu()
    expect(first).toMatchObject({ id: 1, name: 'Soup', price: '32.50' })
    expect(others).toHaveLength(1)
  })

  test('leaves archived items alone', async () => {
    await school.upload(header, soupRow)
    await school.database.knex.raw('update catalogue.menu_items set is_archived = true')
    await school.upload(header, soupRow)
    expect((await school.menu()).map(({ id, isArchived }) => [id, isArchived])).toEqual([
      [1, true],
      [2, false],
    ])
  })

  test('at the same time doubles nothing either', async () => {
    const { knex } = school.database
    const held = await knex.transaction()
    await held.raw('lock table catalogue.menu_items in access exclusive mode')
    const uploads = [1, 2, 3].map(() => school.upload(header, soupRow, pieRow))
    await eventually(async () => {
      const { rows } = await knex.raw(
        `select count(*)::int as waiting from pg_locks
         where relation = 'catalogue.menu_items'::regclass and not granted`,
      )
      expect(rows).toEqual([{ waiting: 2 }])
    })
    await held.commit()
    await Promise.all(uploads)
    expect(await names()).toEqual(['Soup', 'Pie'])
  })

  test('the same meal twice in one file is stored once', async () => {
    expect(await school.upload(header, stewRow('Stew'), stewRow('STEW', '99'))).toEqual({
      successCount: 1,
      createdCount: 1,
      changedCount: 0,
      changed: [],
      errorCount: 1,
      errors: ['Row 3, name: The same meal for the same day stands in row 2'],
    })
  })
})

test('a file of only a title line changes nothing', async () => {
  expect(await school.upload(header)).toEqual(nothing)
})

test('ten thousand rows are taken', async () => {
  const rows = Array.from({ length: 10_000 }, (_, index) => stewRow(`Stew ${index}`))
  expect(await school.upload(header, ...rows)).toEqual({
    ...nothing,
    successCount: 10_000,
    createdCount: 10_000,
  })
  expect(await school.upload(header, ...rows)).toMatchObject({ successCount: 10_000 })
  expect(await school.menu()).toHaveLength(10_000)
})

test('a dry run tells what an upload would do, with the items that it would change, and stores nothing', async () => {
  await school.upload(header, soupRow)
  const before = await school.menu()
  const rows = [header, soupRow.replace(',30,', ',35,'), pieRow, stewRow('Stew', '-5')]
  const told = {
    successCount: 2,
    createdCount: 1,
    changedCount: 1,
    changed: [{ id: before[0]!.id, name: 'Soup' }],
    errorCount: 1,
    errors: [expect.stringContaining('Row 4, price')],
  }
  expect(await school.dryRun(...rows)).toEqual(told)
  expect(await school.menu()).toEqual(before)
  expect(await school.upload(...rows)).toEqual(told)
  expect(await names()).toEqual(['Soup', 'Pie'])
  expect((await school.menu())[0]).toMatchObject({ id: before[0]!.id, price: '35.00' })
})
