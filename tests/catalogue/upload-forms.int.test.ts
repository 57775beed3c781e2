import { header, multipart, pieRow, soupRow, startCatalogueOnly, stewRow } from './catalogue-only'

let school: Awaited<ReturnType<typeof startCatalogueOnly>>
beforeAll(async () => {
  school = await startCatalogueOnly()
})
beforeEach(() => school.reset())
afterAll(() => school.close())

const names = async () => (await school.menu()).map(({ name }) => name)

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
