import { unknownDiets } from '#contracts/catalogue'
import { eventually } from '../support/eventually'
import { allTried } from '../support/tries'
import { header, pieRow, soupRow, startCatalogueOnly, stewRow, multipart } from './catalogue-only'

let school: Awaited<ReturnType<typeof startCatalogueOnly>>
beforeAll(async () => {
  school = await startCatalogueOnly()
})
beforeEach(() => school.reset())
afterAll(() => school.close())
const names = async () => (await school.menu()).map(({ name }) => name)

const allRead = { notRead: [], leftOut: [], leftOutCount: 0, notes: [] }
const nothing = {
  ...allRead,
  successCount: 0,
  createdCount: 0,
  changedCount: 0,
  changed: [],
  errorCount: 0,
  errors: [],
}

test('the rows of a file become items of the menu', async () => {
  expect(await school.upload(header, soupRow, pieRow)).toEqual({
    successCount: 2,
    createdCount: 2,
    changedCount: 0,
    changed: [],
    errorCount: 0,
    errors: [],
    ...allRead,
  })
  expect(await school.menu()).toMatchObject([
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
      diets: unknownDiets,
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
      diets: unknownDiets,
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
    ...allRead,
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
      ...allRead,
      successCount: 1,
      createdCount: 1,
      changedCount: 0,
      changed: [],
      errorCount: 1,
      errors: ['Row 3, name: The same meal for the same day is in row 2'],
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
  if (allTried) expect(await school.upload(header, ...rows)).toMatchObject({ successCount: 10_000 })
  expect(await school.menu()).toHaveLength(10_000)
})

test('a dry run tells what an upload would do, with the items that it would change, and stores nothing', async () => {
  await school.upload(header, soupRow)
  const before = await school.menu()
  const rows = [header, soupRow.replace(',30,', ',35,'), pieRow, stewRow('Stew', '-5')]
  const told = {
    ...allRead,
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

test('prices in other money than kwacha are refused, or errors of their rows', async () => {
  const heads = 'name,price,type,categories,weekNumbers,daysOfWeek'
  const soup = (name: string, more = '') => `${name},4.50,primary,vegetarian,1,1${more}`
  const refused = { status: 422, code: 'other_currency', message: 'This file is in USD.' }
  for (const file of [
    `Prices in US Dollars\n${heads}\n${soup('Soup')}`,
    `${heads}\n,USD,,,,\n${soup('Soup')}`,
  ])
    expect(await school.send(multipart(file))).toMatchObject(refused)
  const coded = [`${heads},Currency`, soup('Soup', ',USD'), soup('Stew', ',ZMW')]
  expect((await school.upload(...coded)).errors).toEqual([
    'Row 2, price: This row is in USD, and only kwacha are read',
  ])
  expect(await names()).toEqual(['Stew'])
})

describe('a file of other columns', () => {
  const heads = 'Dish,Cost (K),Kind,Main protein,Weeks offered,Days offered,Ingredients,Notes'
  const curry = 'Curry,35,primary,chicken,1,2,groundnuts,contains peanuts'
  const mapping = {
    name: 'Dish',
    price: 'Cost (K)',
    type: 'Kind',
    categories: 'Main protein',
    weekNumbers: 'Weeks offered',
    daysOfWeek: 'Days offered',
  }
  const sent = (more = {}) =>
    school.send(multipart([heads, curry, heads, ',,,,,,,later', curry].join('\n'), more))

  test('is asked for once, kept by its headings, and accounts for each row and column', async () => {
    expect(await sent()).toMatchObject({
      status: 422,
      code: 'mapping_needed',
      heads: heads.split(','),
      guess: mapping,
    })
    expect(await sent({ mapping: { ...mapping, price: 'Price' } })).toMatchObject({ code: 'mapping_needed' })
    const told = {
      status: 200,
      successCount: 1,
      errorCount: 1,
      errors: ['Row 5, name: The same meal for the same day is in row 2'],
      notRead: ['Ingredients', 'Notes'],
      leftOut: [
        { row: 3, reason: 'the headings again', amount: null },
        { row: 4, reason: 'nothing in the columns that are read', amount: null },
      ],
      leftOutCount: 2,
    }
    expect(await sent({ mapping })).toMatchObject(told)
    expect(await sent()).toMatchObject({ ...told, createdCount: 0 })
    expect(await names()).toEqual(['Curry'])
  })

  test('says which columns are not read before anything is stored', async () => {
    const outcome = await school.dryRun(`${header},Made of,Notes`, `${soupRow},groundnuts,contains peanuts`)
    expect(outcome).toMatchObject({ successCount: 1, notRead: ['Made of', 'Notes'] })
    expect(await school.menu()).toEqual([])
  })

  test('never leaves a column of allergens out', async () => {
    const file = [`${heads},Contains`, `${curry},Milk`].join('\n')
    expect(await school.send(multipart(file, { mapping }))).toMatchObject({ code: 'columns_twice' })
    expect(
      await school.send(multipart(file, { mapping: { ...mapping, allergens: 'Contains' } })),
    ).toMatchObject({
      successCount: 1,
    })
    expect((await school.menu())[0]!.allergens).toEqual(['Milk'])
  })

  test('with cells that are too long has an error of each of these rows, at once', async () => {
    const long = [stewRow('x'.repeat(501)), soupRow.replace('With bread', 'b'.repeat(2001))]
    const lines = '\n;'.repeat(900)
    const began = performance.now()
    const { errors } = await school.upload(
      header,
      ...long,
      `Pie,,20,primary,beef,"beef: Slow${lines}",1,1,none,,true`,
    )
    expect(performance.now() - began).toBeLessThan(2000)
    expect(errors).toEqual([
      'Row 2: The cell under name has more than 500 letters',
      'Row 3: The cell under description has more than 2000 letters',
      expect.stringContaining('Row 4, proteinDescriptions'),
    ])
  })
})

describe('allergens', () => {
  const columns = 'name,price,type,categories,weekNumbers,daysOfWeek'
  const soup = 'Soup & Bread,1.00,primary,vegetarian,"1,2,3,4,5,6","1,2,3,4,5"'

  test('are read in whatever words stand in the cell', async () => {
    await school.addAllergen('Mustard')
    await school.upload(`${columns},allergens`, `${soup},Milk;Wheat`)
    expect((await school.menu())[0]!.allergens).toEqual(['Milk', 'Wheat'])
    await school.upload(`${columns},allergens`, `${soup},"Contains: groundnuts and mustard"`)
    expect((await school.menu())[0]!.allergens).toEqual(['Peanuts', 'Mustard'])
    await school.upload(`${columns},allergens`, `${soup},n/a`)
    expect((await school.menu())[0]!.allergens).toEqual([])
  })

  test('that the list does not have are an error of their row', async () => {
    const { successCount, errors } = await school.upload(`${columns},allergens`, `${soup},Milk;Penuts`)
    expect(successCount).toBe(0)
    expect(errors).toEqual([
      `Row 2, allergens: "Penuts" is not on the school's list of allergens; the nearest is Peanuts`,
    ])
    expect(await school.menu()).toEqual([])
  })

  test('stay on the items of a price list that has no such column, as all that it does not tell', async () => {
    await school.upload(header, soupRow.replace(',none,', ',"Milk,Wheat",').replace(/true$/, 'false'))
    const [before] = await school.menu()
    await school.upload(columns, 'Soup,31,primary,vegetarian,"1,2","1,5"')
    const version = expect.any(String)
    expect(await school.menu()).toEqual([{ ...before, price: '31.00', version }])
  })

  test.each([
    'Allergen',
    'ALLERGENS',
    'Allergen information',
    'allergies',
    'Food allergens',
    'Known alergens',
    'Allergènes',
    'Alérgenos',
    'Contains',
    'May contain',
  ])('stand below %j too', async (head) => {
    await school.upload(`${columns},${head}`, `${soup},Milk`)
    expect((await school.menu())[0]!.allergens).toEqual(['Milk'])
  })

  test.each(['Milk', 'Groundnuts', 'Contains gluten', 'Has egg', 'Nut free', 'Milk (Y/N)'])(
    'in columns of their own, as %j, refuse the file: nobody would be protected',
    async (head) => {
      expect(await school.send(multipart([`${columns},${head}`, `${soup},✓`].join('\n')))).toMatchObject({
        status: 422,
        code: 'allergen_column',
        message: `The column ${head} is an allergen. Write the allergens of each meal into one column allergens.`,
      })
      expect(await school.menu()).toEqual([])
    },
  )

  test('in two columns refuse the file', async () => {
    const file = [`${columns},allergens,Allergen`, `${soup},Milk,Wheat`].join('\n')
    expect(await school.send(multipart(file))).toMatchObject({
      status: 422,
      code: 'columns_twice',
      message: 'The file has two columns allergens: leave one of them',
    })
  })
})

describe('diets', () => {
  const columns = 'name,price,type,categories,weekNumbers,daysOfWeek'
  const soup = 'Soup,1.00,primary,vegetarian,1,1'
  const stated = async () => (await school.menu())[0]!.diets

  test('are what the cell states, and the others are unknown', async () => {
    await school.upload(`${columns},Diets`, `${soup},halal:yes|noPork:no`)
    expect(await stated()).toEqual({ ...unknownDiets, halal: 'yes', noPork: 'no' })
    await school.upload(`${columns},diets`, `${soup},vegetarian:yes`)
    expect(await stated()).toEqual({ ...unknownDiets, vegetarian: 'yes' })
  })

  test('stay on the items of a file that has no such column', async () => {
    await school.upload(`${columns},diets`, `${soup},halal:yes`)
    await school.upload(columns, soup.replace('1.00', '2.00'))
    expect(await school.menu()).toMatchObject([{ price: '2.00', diets: { halal: 'yes' } }])
  })

  test('that cannot be read are an error of their row', async () => {
    const { successCount, errors } = await school.upload(`${columns},diets`, `${soup},hallal:yes`)
    expect(successCount).toBe(0)
    expect(errors).toEqual([
      'Row 2, diets: "hallal:yes" is no diet. Write halal, vegetarian, noPork, noBeef with yes, no or unknown, as in halal:yes|noPork:yes',
    ])
  })

  test.each(['Halal', 'No pork', 'vegetarian'])(
    'in columns of their own, as %j, refuse the file',
    async (head) => {
      expect(await school.send(multipart([`${columns},${head}`, `${soup},yes`].join('\n')))).toMatchObject({
        status: 422,
        code: 'diet_column',
      })
      expect(await school.menu()).toEqual([])
    },
  )
})

describe('a file as other programs write it', () => {
  test('with a byte order mark, Windows line ends and a line inside a cell', async () => {
    const file = `\uFEFF${header}\r\n${soupRow.replace('warm', 'warm\r\nand thick')}\r\n${pieRow}\r\n`
    expect(await school.send(multipart(file))).toMatchObject({ status: 200, successCount: 2, errorCount: 0 })
    expect((await school.menu())[0]).toMatchObject({
      name: 'Soup',
      description: 'With bread, warm\nand thick',
    })
  })

  test('with line ends of both kinds, a blank first line and titles in other case and order', async () => {
    const file =
      '\n Price,NAME,type,Categories,WeekNumbers,daysofweek,colour\r\n20,Stew,Primary,beef,1,1,red\n'
    expect(await school.send(multipart(file))).toMatchObject({ status: 200, successCount: 1, errors: [] })
    expect((await school.menu())[0]).toMatchObject({ name: 'Stew', price: '20.00', isAvailable: true })
  })

  test('with text that a spreadsheet would take for a formula: it is text', async () => {
    await school.upload(
      header,
      `"=HYPERLINK(""http://x"",""Stew"")",@SUM(A1),20,primary,beef,,1,1,none,"+1,-1",`,
    )
    expect((await school.menu())[0]).toMatchObject({
      name: '=HYPERLINK("http://x","Stew")',
      description: '@SUM(A1)',
      sideDishes: ['+1', '-1'],
    })
  })

  test('with a stray quote in a cell', async () => {
    await school.upload(header, stewRow('12" pizza'))
    expect(await names()).toEqual(['12" pizza'])
  })

  test('in the letters of Windows', async () => {
    const form = multipart(Buffer.from(`${header}\n${stewRow('Café')}`, 'latin1'))
    expect(await school.send(form)).toMatchObject({ status: 200, successCount: 1, errors: [] })
    expect(await names()).toEqual(['Café'])
  })

  test('with too few cells in a row: no cell shifts into another column', async () => {
    const outcome = await school.upload(header, 'Soup,30,primary,vegetarian,1,2,none,true')
    expect(outcome).toMatchObject({ successCount: 0, errorCount: 1 })
    expect(outcome.errors).toEqual([expect.stringMatching(/^Row 2: This row has 8 cells and the headings/)])
  })

  test('by its type alone', async () => {
    const form = multipart(`${header}\n${soupRow}`, { fileName: 'menu', type: 'text/csv' })
    expect(await school.send(form)).toMatchObject({ status: 200, successCount: 1 })
  })

  test('by its name alone', async () => {
    const form = multipart(`${header}\n${soupRow}`, {
      fileName: 'MENU.CSV',
      type: 'application/vnd.ms-excel',
    })
    expect(await school.send(form)).toMatchObject({ status: 200, successCount: 1 })
  })
})

test.each([
  ['plain', (row: string) => row],
  [
    'with quoted titles and a mark of its encoding',
    (row: string) => `\uFEFF${row.replaceAll(/\w+/g, '"$&"')}`,
  ],
])('a file with semicolons is read: %s', async (_how, titles) => {
  expect(
    await school.upload(
      titles(header.replaceAll(',', ';')),
      'Soup;"With bread; warm";30;primary;vegetarian;vegetarian:Beans;1,2;1,5;none;Bread,Salad;true',
    ),
  ).toMatchObject({ createdCount: 1, errors: [] })
  expect(await school.menu()).toMatchObject([
    {
      description: 'With bread; warm',
      weekNumbers: [1, 2],
      daysOfWeek: [1, 5],
      sideDishes: ['Bread', 'Salad'],
    },
  ])
})
