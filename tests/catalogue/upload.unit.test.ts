import { planUpload, problemText, readUploadRow } from '#modules/catalogue/upload-plan.decide'
import { nshima, nshimaItem } from './meals'

describe('upload plan', () => {
  const row = (row: number, changed: Partial<typeof nshima> = {}) => ({
    row,
    meal: { ...nshima, ...changed },
  })

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
    const { inserts, updates } = planUpload(
      [row(2, { weekNumbers: [2, 5], daysOfWeek: [3, 4] })],
      [nshimaItem],
    )
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
      { row: 5, column: 'name', message: 'The same meal for the same day is in row 2' },
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
})

describe('upload row', () => {
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
    diets: 'halal:yes|noPork:yes',
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
        allergens: ['Milk, Tree Nuts'],
        diets: { halal: 'yes', noPork: 'yes' },
        sideDishes: ['Chips', 'Salad'],
        isAvailable: true,
        leadDays: 0,
        ingredients: [],
      },
      problems: [],
    })
  })

  test.each([
    ['', [], null],
    ['none', [], null],
    [
      'Rice:g:120:150|Chicken:g:100:130',
      [
        { name: 'Rice', unit: 'g', primary: 120, secondary: 150 },
        { name: 'Chicken', unit: 'g', primary: 100, secondary: 130 },
      ],
      null,
    ],
    [
      ' Cooking  oil : ML : 7.5 : 10 ',
      [{ name: 'Cooking oil', unit: 'ml', primary: 7.5, secondary: 10 }],
      null,
    ],
    ['Rice:kg:1:2', [], 'Rice:kg:1:2'],
    ['Rice:g:120', [], 'Rice:g:120'],
    ['Rice:g:120:150:9', [], 'Rice:g:120:150:9'],
    ['Rice:g:-1:150', [], 'Rice:g:-1:150'],
    [':g:1:2', [], ':g:1:2'],
  ])('the ingredients "%s"', (ingredients, value, refused) => {
    const { form, problems } = reading({ ingredients } as object)
    expect(form.ingredients).toEqual(value)
    expect(problems.map(({ column, message }) => [column, message.split('"')[1]])).toEqual(
      refused === null ? [] : [['ingredients', refused]],
    )
  })

  test.each([
    ['', 0],
    ['0', 0],
    ['3', 3],
  ])('"%s" lead days', (leadDays, value) => expect(reading({ leadDays } as object).form.leadDays).toBe(value))

  test('lead days that are no number are left for the form to refuse', () =>
    expect(reading({ leadDays: 'two' } as object).form.leadDays).toBeNaN())

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
        allergens: null,
        diets: {},
        sideDishes: [],
        isAvailable: true,
        leadDays: 0,
        ingredients: [],
      },
      problems: [],
    })
  })

  test.each([
    ['beef;chicken', ['beef', 'chicken']],
    ['Beef | chicken', ['beef', 'chicken']],
    ['beef/chicken', ['beef', 'chicken']],
    ['beef\nchicken', ['beef', 'chicken']],
    ['beef and chicken', ['beef', 'chicken']],
    ['Beef & Fish', ['beef', 'fish']],
    ['Beef or chicken', ['beef', 'chicken']],
    ['Beef • Chicken', ['beef', 'chicken']],
    ['none; beef', ['beef']],
    ['beef；chicken', ['beef', 'chicken']],
    ['ham and cheese', ['ham and cheese']],
    ['none', []],
  ])('proteins %j are %j', (categories, read) => {
    expect(reading({ categories, proteinDescriptions: '' }).form.categories).toEqual(read)
  })

  test.each([
    ['halal:yes|noPork:yes', { halal: 'yes', noPork: 'yes' }],
    ['Halal: Yes, No pork: no; vegetarian:unknown', { halal: 'yes', noPork: 'no', vegetarian: 'unknown' }],
    ['no_beef:no', { noBeef: 'no' }],
    ['halal:yes|halal:yes', { halal: 'yes' }],
    ['none', {}],
    ['', {}],
  ])('diets %j are %j', (diets, read) => {
    expect(reading({ diets })).toMatchObject({ form: { diets: read }, problems: [] })
    expect(reading({ diets }).form.diets).toEqual(read)
  })

  test.each([
    ['hallal:yes', '"hallal:yes" is no diet.'],
    ['halal', '"halal" is no diet.'],
    ['halal:maybe', '"halal:maybe" is no diet.'],
    ['halal:yes:no', '"halal:yes:no" is no diet.'],
    ['halal:yes|halal:no', 'halal is both yes and no'],
  ])('diets %j are an error of the row', (diets, words) => {
    const { problems } = reading({ diets })
    expect(problems).toEqual([{ column: 'diets', message: expect.stringContaining(words) }])
  })

  test.each([
    ['Chips;Salad', ['Chips', 'Salad']],
    ['Chips|Salad', ['Chips', 'Salad']],
    ['Chips / Salad', ['Chips', 'Salad']],
    ['Chips\r\nSalad', ['Chips', 'Salad']],
    ['Rice and beans, Salad w/ mayo', ['Rice and beans', 'Salad w/ mayo']],
    ['Chips · Salad', ['Chips', 'Salad']],
    ['Chips，Salad', ['Chips', 'Salad']],
    ['Chips\tSalad', ['Chips', 'Salad']],
    ['1/2 avocado', ['1/2 avocado']],
    ['none', []],
    ['Nil', []],
    ['n.a.', []],
    ['N/A', []],
    ['-', []],
  ])('sides %j are %j', (sideDishes, read) => {
    expect(reading({ sideDishes }).form.sideDishes).toEqual(read)
  })

  test.each(['1;2;6', '1|2|6', '1/2/6'.replaceAll('/', '\n'), '1, 2, 6'])(
    'weeks %j are three',
    (weekNumbers) => {
      expect(reading({ weekNumbers, daysOfWeek: weekNumbers }).form).toMatchObject({
        weekNumbers: [1, 2, 6],
        daysOfWeek: [1, 2, 6],
      })
    },
  )

  test.each([
    'beef:Slow, with salt; warm|chicken:Free range',
    'beef:Slow, with salt; warm;chicken:Free range',
    'beef:Slow, with salt; warm, Chicken :Free range',
    'beef:Slow, with salt; warm\nchicken:Free range',
  ])('descriptions %j are two, whatever stands between them', (proteinDescriptions) => {
    expect(reading({ proteinDescriptions })).toMatchObject({
      form: { proteinDescriptions: { beef: 'Slow, with salt; warm', chicken: 'Free range' } },
      problems: [],
    })
  })

  test('a protein of any letters is found before its description', () => {
    const strange = { categories: 'a.b (c)*, beef', proteinDescriptions: 'beef:One;a.b (c)*:Two' }
    expect(reading(strange)).toMatchObject({
      form: { proteinDescriptions: { beef: 'One', 'a.b (c)*': 'Two' } },
      problems: [],
    })
  })

  test.each(['none', 'n/a', '-', ''])('descriptions %j are none', (proteinDescriptions) => {
    expect(reading({ proteinDescriptions })).toMatchObject({
      form: { proteinDescriptions: {} },
      problems: [],
    })
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

  test.each([
    ['K45', '45.00'],
    ['ZMW 45.50', '45.50'],
    ['45,50', '45.50'],
    ['1 045.5', '1045.50'],
    ['45', '45.00'],
    ['K1.045', 'K1.045'],
    ['$45', '$45'],
    ['(45)', '(45)'],
    ['45 CR', '45 CR'],
    ['K45/K50', 'K45/K50'],
  ])('the price %j is %s', (price, read) => {
    expect(reading({ price }).form.price).toBe(read)
  })

  test.each(['Monday', '1.5', '-1', '1-2', '1e1'])('%j is no day number', (daysOfWeek) => {
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

  test.each([
    ['categories', 'beef, #N/A'],
    ['sideDishes', '#REF!'],
    ['sideDishes', '=B2'],
    ['name', '#NAME?'],
  ])('in %s %j is a spreadsheet error', (column, cell) => {
    expect(reading({ proteinDescriptions: '', [column]: cell }).problems).toEqual([
      { column, message: expect.stringContaining('is a spreadsheet error') },
    ])
  })
})
