import { addStudent, createAdmin, currentUser } from '#contracts/identity'
import { setOrderStatus } from '#contracts/kitchen'
import { placeOrders, type Order } from '#contracts/ordering'
import { applyRoll, previewRoll } from '#contracts/roll-import'
import { desk, superadmin, tablet, visit } from '../support/browser'
import { type LunchSchool, openLunchSchool } from '../support/lunch-school'
import { shown } from '../support/on-page'
import { pdfPages } from '../support/pdf-pages'

const children = 42
const numbered = Array.from({ length: children }, (_, index) => String(index + 1).padStart(2, '0'))

let lunch: LunchSchool
let tuesdays: Order[]
beforeAll(async () => {
  lunch = await openLunchSchool({ 'Soup & Bread': { daysOfWeek: [2, 3] } })
  const parent = await lunch.school.parent('boarding.house')
  const { id: parentId } = await parent.call(currentUser)
  const line = {
    menuItemId: lunch.items['Soup & Bread']!.id,
    weekNumber: 1,
    category: 'vegetarian',
    originalPrice: 0,
  }
  const lines = []
  for (const number of numbered) {
    const { id: studentId } = await lunch.office.call(addStudent, {
      body: { name: `Boarder ${number}`, grade: '2', parentId },
    })
    lines.push({ ...line, studentId, dayOfWeek: 2, comments: `Table ${number}, please` })
  }
  const { id: studentId } = await lunch.office.call(addStudent, {
    body: { name: 'Wezi', grade: '5', parentId },
  })
  for (const dayOfWeek of [2, 3]) lines.push({ ...line, studentId, dayOfWeek, comments: '' })
  const { orders } = await parent.call(placeOrders, { body: lines })
  await lunch.office.call(setOrderStatus, { body: { orderIds: [orders.at(-1)!.id], status: 'completed' } })
  await lunch.office.call(createAdmin, {
    body: { username: 'cook', password: 'cook-password', allowedFeatures: ['kitchen'] },
  })
  lunch.school.setClock('2026-09-15T06:00:00+02:00')
  tuesdays = orders.filter(({ mealDate }) => mealDate === '2026-09-15')
})
afterAll(() => lunch?.close())

const cook = async (viewport = desk) => {
  const as = { username: 'cook', password: 'cook-password' }
  const visitor = await visit(lunch.browser, lunch.school.url, viewport, { as })
  await shown(visitor.page.getByText('Primary Portions').or(visitor.page.getByText('No orders for today')))
  const printed = async (address: string, ...words: string[]) => {
    await visitor.page.goto(address)
    for (const text of words) await shown(visitor.page.getByText(text))
    return pdfPages(await visitor.page.pdf({ preferCSSPageSize: true }))
  }
  return { ...visitor, printed }
}

const a4 = '595 x 842'
const packed = (words: string) => words.replaceAll(/\s/g, '')
const foot = (title: string, page: number, pages: number) =>
  new RegExp(`Page${page}of${pages}${packed(title)}·printed\\d+[A-Z][a-z]+20\\d\\dat\\d\\d:\\d\\d`)
const onScreenOnly = ['Mark as Complete', 'Refresh', 'Class lists', 'Logout', 'Nothing selected', 'Today']

test('a week of the kitchen is printed on A4, a day a sheet, black on white, with what it is and when on each', async () => {
  const { printed, faults, close } = await cook()
  const pages = await printed('/?section=kitchen&week=1', 'Primary Portions')
  const heads = ['PrimaryPortions·Tuesday,15September', 'PrimaryPortions·Wednesday,16September']
  const sheet = (head: string) => pages.filter(({ text }) => text.includes(head))
  // Tuesday's comments go on to further sheets, and each of them says what it is.
  expect(pages.length).toBe(sheet(heads[0]!).length + sheet(heads[1]!).length)
  expect(sheet(heads[0]!).length).toBeGreaterThanOrEqual(1)
  expect(sheet(heads[1]!).length).toBe(1)
  for (const [index, { text, size, inks }] of pages.entries()) {
    expect(size).toBe(a4)
    expect(inks).toEqual(['0 0 0'])
    expect(text).toMatch(foot('Kitchen View · Week 1', index + 1, pages.length))
    expect(text).toContain('MenuItemTotalOrdersProteinSelectionSideDishSelection')
    for (const words of onScreenOnly) expect(text).not.toContain(packed(words))
  }
  for (const number of numbered)
    expect(pages.filter(({ text }) => text.includes(`Table${number},please`)).length).toBe(1)
  expect(faults).toEqual([])
  await close()
})

/** Words as the paper has them, in the order they were drawn. */
const inOrder = (text: string, ...words: string[]) => words.map((one) => text.indexOf(packed(one)))

test('the sheet of today says allergies and has lines for late changes first, then plates with whose remark it is', async () => {
  const { page, printed, faults, close } = await cook()
  // The school keeps no allergies yet: the page is given some.
  await page.route('**/api/orders/today?*', async (route) => {
    const response = await route.fetch()
    if (response.status() === 304) return route.fulfill({ response })
    const who = [{ student: 'Wezi', grade: '5', class: '5B', inMeal: true }]
    const peanuts = { name: 'Peanuts', children: 3, meals: [{ menuItem: 'Satay', count: 1 }], who }
    const allergies = [{ mealDate: '2026-09-15', ...peanuts }]
    await route.fulfill({ response, json: { ...(await response.json()), allergies } })
  })
  const pages = await printed('/?section=kitchen', 'Peanuts', 'Ordering for today is open')
  const [{ text }] = pages as [(typeof pages)[number]]
  const places = inOrder(
    text,
    'Kitchen View · Today',
    'Peanuts: 3 children, 1 of them ordered Satay',
    'Wezi, 5B (in the meal)',
    'Late changes · Ordering for today is open until 08:00',
    'Primary Portions · Tuesday, 15 September',
    '43 Vegetarian',
    'Table 01, please · Boarder 01',
  )
  expect(places).not.toContain(-1)
  expect(places).toEqual(places.toSorted((one, other) => one - other))
  expect(pages).toHaveLength(1)
  for (const [index, { text: words, size, inks }] of pages.entries()) {
    expect([size, inks]).toEqual([a4, ['0 0 0']])
    expect(words).toMatch(
      foot("Kitchen View · Today's Orders, Tuesday, 15 September 2026", index + 1, pages.length),
    )
  }
  for (const number of numbered)
    expect(
      pages.filter((one) => one.text.includes(packed(`Table ${number}, please · Boarder ${number}`))),
    ).toHaveLength(1)
  expect(faults).toEqual([])
  await close()
})

test('the sheet of fifty lunches of seven dishes, with an allergy and a diet, is one page', async () => {
  const { page, printed, faults, close } = await cook()
  await page.route('**/api/orders/today?*', async (route) => {
    const response = await route.fetch()
    if (response.status() === 304) return route.fulfill({ response })
    const reply = await response.json()
    const dish = (at: number) => ({
      ...reply.totals[0],
      menuItemId: 100 + at,
      menuItem: `Chicken & Rice ${at}`,
      type: at < 5 ? 'primary' : 'secondary',
      total: at === 1 ? 8 : 7,
      proteins: [
        { name: 'chicken', count: 4 },
        { name: 'vegetarian', count: 2 },
      ],
      sides: [
        { name: 'Rape', count: 4 },
        { name: 'Impwa', count: 2 },
      ],
      plates: [
        { category: 'chicken', sideDish: 'Rape', count: 4, comments: [] },
        {
          category: 'vegetarian',
          sideDish: 'Impwa',
          count: 2,
          comments: at % 3 === 0 ? [{ text: 'No onions', count: 1, students: ['Luse Banda'] }] : [],
        },
      ],
    })
    const who = [1, 2, 3].map((at) => ({
      student: `Boarder ${at}`,
      grade: '2',
      class: '2A',
      inMeal: at === 1,
    }))
    const day = { mealDate: reply.totals[0].mealDate, children: 3, meals: [] }
    const allergies = [{ ...day, name: 'Peanuts', who }]
    const diets = [{ ...day, diet: 'halal', meals: [{ menuItem: 'Stew', count: 3 }] }]
    const totals = [1, 2, 3, 4, 5, 6, 7].map(dish)
    await route.fulfill({ response, json: { ...reply, totals, allergies, diets } })
  })
  const pages = await printed('/?section=kitchen', 'Chicken & Rice 7')
  expect(pages).toHaveLength(1)
  expect(faults).toEqual([])
  await close()
})

test('class lists are printed a class a sheet if asked; what goes on has its heads again, no row is cut in two', async () => {
  const { printed, faults, close } = await cook(tablet)
  const title = 'Class lists of Tuesday, 15 September 2026'
  const pages = await printed('/?section=kitchen&list=2026-09-15&apart=yes', 'Boarder 01')
  const day = 'Tuesday,15September2026'
  const [grade2, grade5] = [`Grade242lunches·${day}`, `Grade51lunch·${day}`]
  expect(pages.map(({ text }) => [text.includes(grade2), text.includes(grade5)])).toEqual([
    [true, false],
    [true, false],
    [false, true],
  ])
  for (const [index, { text, size, inks }] of pages.entries()) {
    expect(size).toBe(a4)
    expect(inks).toEqual(['0 0 0'])
    expect(text).toMatch(foot(title, index + 1, pages.length))
    expect(text).toContain('GivenStudentMealProteinSidedishComments')
    for (const words of ['Back to portions', 'All classes', 'One class a page', 'Logout'])
      expect(text).not.toContain(packed(words))
  }
  for (const number of numbered) {
    const row = `Boarder${number}Soup&BreadVegetarianTable${number},please`
    expect(pages.filter(({ text }) => text.includes(row)).length).toBe(1)
  }
  expect(faults).toEqual([])
  await close()
})

test('after the cutoff the sheet says that it is final', async () => {
  lunch.school.setClock('2026-09-15T08:30:00+02:00')
  await lunch.office.call(setOrderStatus, { body: { orderIds: [tuesdays[0]!.id], status: 'cancelled' } })
  const { printed, faults, close } = await cook(tablet)
  const [first] = await printed('/?section=kitchen', '1 cancelled late', 'Final since', 'Primary Portions')
  expect(first!.text).toContain(packed('Late changes · Final since 08:00'))
  expect(first!.text).toContain(packed('42 Vegetarian'))
  expect(faults).toEqual([])
  await close()
})

describe('letters with claim codes', () => {
  const ten = Array.from({ length: 10 }, (_, index) => `Mwansa Chilufya Mulenga Kapembwa the ${index + 1}th`)

  const importRoll = async () => {
    const lines = [
      'admissionNumber,student,grade,class,guardian,phone',
      'A-0,Bupe Sakala,10,10A,Mr Sakala,0966 100 300',
      'A-1,Luse Banda,2,2A,Mrs Banda,0977 100 200',
      'A-2,Mapalo Banda,K,,Mrs Banda,0977 100 200',
      ...ten.map(
        (name, index) => `B-${index},${name},4,4 East of the river,Grandmother Mulenga,0955 100 100`,
      ),
    ]
    const form = new FormData()
    form.set('file', new File([lines.join('\n')], 'roll.csv'))
    const office = await lunch.school.superadmin()
    const answer = await office.fetch(previewRoll.path, { method: 'POST', body: form })
    const { id } = previewRoll.reply.parse(await answer.json())
    await office.call(applyRoll, { params: { id }, body: { remove: false } })
  }

  test('are a page for each family, with nothing of the console on it', async () => {
    await importRoll()
    const { page, close } = await visit(lunch.browser, lunch.school.url, desk, {
      as: superadmin,
      at: '/roll/letters',
    })
    await page.getByRole('button', { name: 'Letters for All 13' }).click()
    await page.getByRole('button', { name: 'Make Letters' }).click()
    const codes = page.getByText(/^[A-Z]{4} [A-Z]{4}$/)
    await shown(codes.first())
    const shownCodes = await codes.allTextContents()
    const pages = pdfPages(await page.pdf({ preferCSSPageSize: true }))
    const families = [
      ['Mrs Banda', 'Luse Banda, 2A', 'Mapalo Banda'],
      ['Grandmother Mulenga', ...ten.map((name) => `${name}, 4 East of the river`)],
      ['Mr Sakala', 'Bupe Sakala, 10A'],
    ]
    expect(pages).toHaveLength(families.length)
    for (const [index, { text, size, inks }] of pages.entries()) {
      expect([size, inks]).toEqual([a4, ['0 0 0']])
      for (const words of [...families[index]!, shownCodes[index]!]) expect(text).toContain(packed(words))
      expect(text).toContain(packed('until 14 December 2026'))
      expect(text).toContain(packed('Open http://localhost:0/register'))
      expect(text).not.toMatch(/Page\d|printed|Close|shownthisonce|Parents&Students|superadmin/)
    }
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Yes, Close' }).click()
    await shown(page.getByText('13 children'))
    await close()
  })
})
