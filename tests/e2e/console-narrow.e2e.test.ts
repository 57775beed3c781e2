import type { Page } from 'playwright-core'
import { addStudent } from '#contracts/identity'
import { placeOrders } from '#contracts/ordering'
import { phone, superadmin, tablet, visit } from '../support/browser'
import { overlap, shifted, watchShifts, widthOf, wordsBroken } from '../support/first-screen'
import { openLunchSchool, type LunchSchool } from '../support/lunch-school'
import { gone, shown } from '../support/on-page'

let lunch: LunchSchool
beforeAll(async () => {
  lunch = await openLunchSchool({ 'Soup & Bread': { daysOfWeek: [1] } })
  const parent = await lunch.school.parent('mother')
  const { id: studentId } = await parent.call(addStudent, { body: { name: 'Chipo Banda', grade: '2' } })
  const line = { menuItemId: lunch.items['Soup & Bread']!.id, category: 'vegetarian', originalPrice: 0 }
  await parent.call(placeOrders, {
    body: [{ ...line, studentId, weekNumber: 1, dayOfWeek: 1, comments: 'No peanuts, please' }],
  })
})
afterAll(() => lunch?.close())

const kitchen = async (viewport = phone) => {
  const visitor = await visit(lunch.browser, lunch.school.url, viewport, { as: superadmin })
  await shown(visitor.page.getByText('Current Menu Items'))
  return visitor
}

/** The words of the lists that do not end within the frame that holds their list. */
const cut = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('main table :is(p, li, strong, td)')]
      .filter((words) => {
        const frame = words.closest('section')!.getBoundingClientRect()
        const { left, right, width } = words.getBoundingClientRect()
        return width > 0 && (right > frame.right || left < frame.left)
      })
      .map((words) => words.textContent),
  )

test.each([
  ['phone', phone],
  ['tablet', tablet],
])('on a %s the kitchen reads portions of four figures whole', async (_size, viewport) => {
  const { page, faults, close } = await kitchen(viewport)
  await page.route('**/api/orders/week/1?*', async (route) => {
    const answer = await route.fetch()
    const { totals, ...rest } = await answer.json()
    const many = { menuItem: 'Vegetable Fried Rice with Village Chicken', total: 2047, completed: 1024 }
    await route.fulfill({ response: answer, json: { ...rest, totals: [{ ...totals[0], ...many }] } })
  })
  await page.goto('/?section=kitchen&week=1')
  await shown(page.getByText('1024 of 2047 completed'))
  expect(await cut(page)).toEqual([])
  expect(faults).toEqual([])
  await close()
})

test('on a phone Order Cycles does not move when its cycle arrives', async () => {
  const { page, close } = await kitchen({ width: 412, height: 915 })
  await watchShifts(page)
  await page.route('**/api/order-cycles', async (route) => {
    const answer = await route.fetch()
    await shown(page.getByRole('heading', { name: 'Active Order Cycle' }))
    await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => setTimeout(painted))))
    await route.fulfill({ response: answer })
  })
  await page.goto('/?section=cycles')
  await shown(page.getByText('Accepting orders'))
  await page.waitForLoadState('networkidle')
  const { sum, moved } = await shifted(page)
  expect(sum <= 0.02 ? [] : moved).toEqual([])
  await close()
})

const sections = [
  'today',
  'menu',
  'kitchen',
  'kitchen&week=1',
  'cycles',
  'live_orders',
  'pending_payments',
  'pending_payments&tab=statements',
  'order_recovery',
  'refunds',
  'history',
  'history&tab=books',
  'history&tab=books&books=day-end',
  'history&tab=books&books=month',
  'revenue',
  'parents_students',
  'parents_students&tab=roll',
  'admins',
  'settings',
]
const consolePages = [
  ...sections.map((section) => `/?section=${section}`),
  '/papers/allergens?from=2026-09-14',
]

test.each([
  ['phone', '200%', phone],
  ['tablet', '100%', tablet],
])('on a %s no page of the console is wider than the window at text of %s', async (_size, text, viewport) => {
  const { page, faults, close } = await kitchen(viewport)
  const wide: string[] = []
  for (const at of consolePages) {
    await page.goto(at)
    await shown(page.getByRole('main').locator('a, button, input, summary'))
    await page.waitForLoadState('networkidle')
    await page.evaluate((size) => document.documentElement.style.setProperty('font-size', size), text)
    const width = await widthOf(page)
    if (width > viewport.width) wide.push(`${at}: ${width}`)
  }
  expect(wide).toEqual([])
  expect(faults).toEqual([])
  await close()
})

test('on a phone the name of a child in Parents & Students breaks between its words', async () => {
  const parent = await lunch.school.parent('long.names')
  await parent.call(addStudent, { body: { name: 'Mulenga Chilufya Hamoonga', grade: '11' } })
  const { page, faults, close } = await kitchen()
  await page.goto('/?section=parents_students&search=long.names')
  await page.locator('main button[aria-expanded=false]').filter({ hasText: 'long.names' }).click()
  await shown(page.getByText('Hamoonga'))
  // The head names its buttons out of sight.
  expect((await wordsBroken(page)).filter((word) => word.endsWith('is broken'))).toEqual([])
  expect(faults).toEqual([])
  await close()
})

test('on a phone a class list shows all of a lunch, what its family asked for too', async () => {
  const { page, faults, close } = await kitchen()
  await page.goto('/?section=kitchen&week=1')
  await page.getByRole('button', { name: 'Class lists of Monday' }).click()
  await shown(page.getByRole('cell', { name: 'No peanuts, please' }))
  expect(await cut(page)).toEqual([])
  expect(faults).toEqual([])
  await close()
})

/** Words and controls of a bar that lie over one another or outside of it. */
const overlapping = (page: Page, bar: string) =>
  page.getByRole('region', { name: bar }).evaluate((region) => {
    const parts = [...region.querySelectorAll('p, button, select')].map((part) => {
      const range = document.createRange()
      range.selectNodeContents(part)
      const rect = part.tagName === 'P' ? range.getBoundingClientRect() : part.getBoundingClientRect()
      return { name: part.textContent || part.getAttribute('aria-label'), rect }
    })
    const frame = region.getBoundingClientRect()
    return parts
      .filter(
        ({ rect }, at) =>
          rect.left < frame.left ||
          rect.right > frame.right ||
          parts.some(
            (other, place) =>
              place !== at &&
              rect.left < other.rect.right &&
              other.rect.left < rect.right &&
              rect.top < other.rect.bottom &&
              other.rect.top < rect.bottom,
          ),
      )
      .map(({ name }) => name)
  })

test('on a phone a notification covers neither the last button of a form nor the acts on what is selected', async () => {
  const at = '/settings?tab=communication'
  const { page, faults, close } = await visit(lunch.browser, lunch.school.url, phone, { as: superadmin, at })
  const toast = page.locator('.toast')
  const save = page.getByRole('button', { name: 'Save Privacy Settings' })
  await page.getByLabel('Data protection officer').fill('Mrs Tembo, tembo@school.example')
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  await save.click()
  await shown(toast)
  expect(await overlap(toast, save)).toBe(false)

  await page.goto('/?section=history')
  await page.getByRole('checkbox', { name: /^Select .* for Chipo/ }).check()
  await page.getByRole('button', { name: 'Take Back Marks' }).click()
  await page.getByLabel('Username that made the marks').fill('superadmin')
  await page.getByRole('button', { name: 'Take Back', exact: true }).click()
  await shown(toast.getByText('0 marks of superadmin taken back'))
  await gone(page.getByRole('dialog'))
  expect(await overlap(toast, page.locator('.selection-bar'))).toBe(false)
  expect(await overlap(toast, page.getByRole('button', { name: 'Open menu' }))).toBe(false)
  expect(faults).toEqual([])
  await close()
})

test.each([320, 360, 640, 768, 1024, 1280])(
  'at %d px the bar over selected orders has nothing over its words',
  async (width) => {
    const { page, faults, close } = await kitchen({ width, height: 740 })
    await page.route('**/api/cycle-orders?*', async (route) => {
      const answer = await route.fetch()
      const { data, metadata } = await answer.json()
      const isSecond = new URL(route.request().url()).searchParams.get('page') === '2'
      const json = {
        data: isSecond ? [] : data,
        metadata: { ...metadata, page: isSecond ? 2 : 1, total: 11, totalPages: 2 },
      }
      await route.fulfill({ response: answer, json })
    })
    await page.goto('/?section=history')
    await page.getByRole('checkbox', { name: /^Select .*Chipo Banda/ }).click()
    await page.getByRole('button', { name: 'Next' }).click()
    await shown(page.getByText('1 order selected, 1 on other pages'))
    expect(await overlapping(page, 'Selected orders')).toEqual([])
    expect(faults).toEqual([])
    await close()
  },
)

test('at 320 px every action of a menu item is within the screen', async () => {
  const { page, faults, close } = await kitchen({ width: 320, height: 640 })
  for (const name of ['Preview Soup & Bread', 'Edit Soup & Bread', /^(Archive|Delete) Soup & Bread/]) {
    const role = name === 'Edit Soup & Bread' ? 'link' : 'button'
    const { x, width } = (await page.getByRole(role, { name }).first().boundingBox())!
    expect(x).toBeGreaterThanOrEqual(0)
    expect(x + width).toBeLessThanOrEqual(320)
  }
  expect(faults).toEqual([])
  await close()
})

/** Buttons and links of one row with less than 8 px between them, which a thumb confuses. */
const touching = (page: Page) =>
  page.evaluate(() => {
    const rowOf = (element: Element) => element.closest('tr, li, form') ?? document.body
    const pressed = [...document.querySelectorAll('main :is(button, a.btn, a.tap)')]
      .filter((element) => element.checkVisibility() && !element.closest('nav, [role=tablist]'))
      .map((element) => ({ element, rect: element.getBoundingClientRect() }))
    /** Diagonal neighbours are far enough for a thumb. */
    const gapOf = (one: DOMRect, other: DOMRect) => {
      const across = Math.max(one.left - other.right, other.left - one.right)
      const down = Math.max(one.top - other.bottom, other.top - one.bottom)
      return across > 0 && down > 0 ? Infinity : Math.max(across, down)
    }
    return pressed.flatMap((one, at) =>
      pressed
        .slice(at + 1)
        .filter(
          (other) =>
            rowOf(one.element) === rowOf(other.element) &&
            !one.element.contains(other.element) &&
            gapOf(one.rect, other.rect) < 7.9,
        )
        .map((other) =>
          [one, other]
            .map(({ element }) => element.getAttribute('aria-label') ?? element.textContent)
            .join(' | '),
        ),
    )
  })

test.each(['menu', 'live_orders', 'cycles', 'admins', 'parents_students'])(
  'on a phone no two buttons of a row touch in %s',
  async (section) => {
    const { page, faults, close } = await kitchen()
    await page.goto(`/?section=${section}`)
    await page.getByRole('main').getByRole('button').nth(1).waitFor()
    await page.waitForLoadState('networkidle')
    expect(new URL(page.url()).searchParams.get('section')).toBe(section)
    expect(await touching(page)).toEqual([])
    expect(faults).toEqual([])
    await close()
  },
)
