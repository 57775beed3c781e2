import type { Page } from 'playwright-core'
import { searchUsers } from '#contracts/accounts'
import { addStudent, listStudents } from '#contracts/identity'
import { createDiscountCode } from '#contracts/order-reports'
import { getOrderingRules, placeOrders, saveOrderingRules } from '#contracts/ordering'
import { savePaymentBypass } from '#contracts/payments'
import { airtelAndBank } from '../payments/alternative-canteen'
import { parentAccount, phone, signInOn, tablet, visit } from '../support/browser'
import {
  box,
  coveredByTheBar,
  overlap,
  paintMs,
  shifted,
  watchShifts,
  widthOf,
  wordsBroken,
} from '../support/first-screen'
import { dayCard, menuShown, openLunchSchool, type LunchSchool } from '../support/lunch-school'
import { shown } from '../support/on-page'
import { superadminPassword } from '../support/school'

let lunch: LunchSchool
beforeAll(async () => {
  lunch = await openLunchSchool({
    'Soup & Bread': { daysOfWeek: [2] },
    'Chicken & Rice': { daysOfWeek: [3, 4] },
  })
  const parent = await lunch.school.parent('mwila.banda')
  await parent.call(addStudent, { body: { name: 'Chipo Banda', grade: '2' } })
  const { users } = await lunch.office.call(searchUsers, { query: { q: 'mwila' } })
  const code = 'WELCOME-BACK-FOR-TERM-3-OF-2026'
  await lunch.office.call(createDiscountCode, {
    body: { code, userId: users[0]!.id, discountPercentage: 15, isActive: true },
  })
})
afterAll(() => lunch?.close())

const home = async (viewport: typeof phone) => {
  const as = parentAccount('mwila.banda')
  const visitor = await visit(lunch.browser, lunch.school.url, viewport, { as })
  await shown(visitor.page.getByText('Welcome, mwila.banda'))
  return visitor
}
const named = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

test('on a phone a notification leaves the head of the page alone', async () => {
  const { page, close } = await visit(lunch.browser, lunch.school.url, phone)
  await signInOn(page, 'mwila.banda', 'parent-password')
  const toast = page.locator('.toast')
  await shown(toast.getByText('Logged in successfully'))
  expect(await overlap(toast, named(page, 'Open menu'))).toBe(false)
  expect(await overlap(toast, page.getByText('Welcome, mwila.banda'))).toBe(false)
  await close()
})

test('a long discount code stands beside nothing that it could cover', async () => {
  const { page, close } = await home(tablet)
  const code = page.locator('header').getByText('WELCOME-BACK-FOR-TERM-3-OF-2026: 15% off')
  await shown(code)
  for (const words of ['Welcome, mwila.banda', 'Contact', 'View Profile', 'Logout'])
    expect([words, await overlap(code, page.locator('header').getByText(words))]).toEqual([words, false])
  const { height } = await box(named(page, 'Logout'))
  expect((await box(named(page, 'View Profile'))).height).toBe(height)

  await page.setViewportSize(phone)
  await named(page, 'Open menu').click()
  const { x, width } = await box(code)
  expect(x + width).toBeLessThanOrEqual(phone.width)
  await close()
})

test.each([
  ['phone', phone],
  ['tablet', tablet],
])('on a %s the last words of the page can be read under Place Order', async (_size, viewport) => {
  const { page, faults, close } = await home(viewport)
  const tuesday = dayCard(page, 'Tuesday 15 September')
  await tuesday.getByLabel('Protein').selectOption({ label: 'Vegetarian' })
  await tuesday.getByRole('button', { name: 'Add' }).click()
  await page.goto('/?tab=cart')
  const place = named(page, 'Place Order')
  await shown(place)
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  expect(await overlap(place, page.getByText('Powered by'))).toBe(false)
  expect(await overlap(place, named(page, 'Clear Cart'))).toBe(false)
  expect(faults).toEqual([])
  await close()
})

/** A parent of two who has ordered Tuesday's soup for the first of them. */
const returningParent = async (username: string) => {
  const parent = await lunch.school.parent(username, { email: `${username}@example.com` })
  const { id: studentId } = await parent.call(addStudent, { body: { name: 'Bupe Zulu', grade: '3' } })
  await parent.call(addStudent, { body: { name: 'Natasha Zulu', grade: '4' } })
  const menuItemId = lunch.items['Soup & Bread']!.id
  const soup = {
    menuItemId,
    studentId,
    weekNumber: 1,
    dayOfWeek: 2,
    category: 'vegetarian',
    originalPrice: 0,
  }
  await parent.call(placeOrders, { body: [soup] })
  return visit(lunch.browser, lunch.school.url, phone, { as: parentAccount(username) })
}

test('a returning parent sees on the first screen of a phone what the children eat, what is missing and what comes next', async () => {
  const { page, faults, close } = await returningParent('mutale.zulu')
  await menuShown(page)
  const bar = page.getByRole('region', { name: 'Your order' })
  const meal = dayCard(page, 'Wednesday 16 September').getByRole('article').first()
  const week = page.getByRole('region', { name: 'This week · 14–18 Sept' })
  const lines = week
    .getByRole('listitem')
    .filter({ hasText: /September, / })
    .getByRole('listitem')
  expect(await lines.count()).toBe(10)
  const { y: end } = await box(bar)
  for (const target of [
    week.getByRole('heading'),
    week.getByRole('button', {
      name: 'Tuesday 15 September, Bupe Zulu: Soup & Bread Bupe · Vegetarian Free',
    }),
    week.getByRole('button', { name: /^Wednesday 16 September, Natasha Zulu: .* \+ Choose$/ }),
    lines.last(),
  ]) {
    const { y, height } = await box(target)
    expect([target.toString(), y >= 0 && y + height <= end]).toEqual([target.toString(), true])
  }
  expect(await page.getByText('How to Order Meals').count()).toBe(0)
  const names = page.getByText('Bupe Zulu', { exact: true }).locator('visible=true')
  expect(await names.count()).toBe(1 + (await bar.getByText('Bupe Zulu').locator('visible=true').count()))

  // The fastest of several: another test may have the machine's other half.
  expect(await paintMs(page, ['Natasha Zulu', 'Bupe Zulu'])).toBeLessThanOrEqual(200)
  await meal.getByLabel('Side dish').selectOption('Coleslaw')
  await meal.getByRole('button', { name: 'Add' }).click()
  await shown(bar.getByText('K38.50'))
  await shown(bar.getByText('1 meal'))
  for (const width of [320, phone.width]) {
    await page.setViewportSize({ ...phone, width })
    expect([width, (await box(bar)).height <= 60]).toEqual([width, true])
  }
  expect(await coveredByTheBar(page)).toEqual([])

  await watchShifts(page)
  for (const [tab, words] of [
    ['menu', 'Wednesday'],
    ['students', 'Natasha Zulu'],
    ['orders', 'Soup & Bread'],
  ] as const) {
    await page.goto(`/?tab=${tab}`)
    await shown(page.getByText(words))
    await page.waitForLoadState('networkidle')
    const { sum, moved } = await shifted(page)
    expect([tab, sum <= 0.02 ? [] : moved]).toEqual([tab, []])
  }
  expect(faults).toEqual([])
  await close()
})

test('from a tablet on the whole table of orders is in sight', async () => {
  const { page, close } = await returningParent('mainza.hamoonga')
  const rules = await lunch.office.call(getOrderingRules)
  await lunch.office.call(saveOrderingRules, { body: { ...rules, cancelUntil: 'cutoff' } })
  await lunch.office.call(savePaymentBypass, {
    body: { ...airtelAndBank, currentPassword: superadminPassword },
  })
  const parent = await lunch.school.signIn('mainza.hamoonga', 'parent-password')
  const [first] = await parent.call(listStudents)
  const { id: menuItemId, price } = lunch.items['Chicken & Rice']!
  const chicken = {
    menuItemId,
    studentId: first!.id,
    weekNumber: 1,
    category: 'chicken',
    sideDish: 'Coleslaw',
  }
  const body = [3, 4].map((dayOfWeek) => ({
    ...chicken,
    dayOfWeek,
    comments: 'No mayonnaise-based dressings on her coleslaw, please',
    originalPrice: Number(price),
  }))
  await parent.call(placeOrders, { body })
  for (const width of [768, 1024, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto('/?tab=orders')
    await shown(page.getByRole('button', { name: 'Change Meal' }))
    const hidden = await page
      .getByRole('table')
      .evaluate(({ parentElement: frame }) => frame!.scrollWidth - frame!.clientWidth)
    expect([width, hidden]).toEqual([width, 0])
  }
  await close()
})

test('at 200 % text no word breaks or leaves its card, and no page is wider than the phone, in menu, sheets, cart, students, history, profile and statement', async () => {
  const { page, faults, close } = await returningParent('likando.wamundila')
  const isWhole = async (screen: string) => {
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
    expect([screen, await wordsBroken(page)]).toEqual([screen, []])
    expect([screen, await widthOf(page)]).toEqual([screen, phone.width])
  }
  await menuShown(page)
  await isWhole('menu')
  await named(page, /15 September, Natasha Zulu: /).click()
  await shown(page.getByRole('dialog').getByText('Soup & Bread'))
  await isWhole('day sheet')
  await page.keyboard.press('Escape')
  await named(page, 'Order this week').first().click()
  await shown(page.getByRole('dialog').getByText('Wednesday'))
  await isWhole('week plan')
  await named(page, 'Any side dish').click()
  await named(page, /^Add \d/).click()
  await shown(named(page, 'Place Order'))
  await isWhole('cart')
  for (const [tab, words] of [
    ['students', 'Natasha Zulu'],
    ['orders', 'Soup & Bread'],
  ] as const) {
    await page.goto(`/?tab=${tab}`)
    await shown(page.getByText(words))
    await isWhole(tab)
  }
  await page.goto('/?tab=students')
  await named(page, 'Tell the kitchen about allergies and diet: Natasha Zulu').click()
  await page.getByLabel('Allergies', { exact: true }).selectOption('Has allergies')
  await isWhole('allergies and diet')
  await page.keyboard.press('Escape')
  await named(page, 'Guardians: Natasha Zulu').click()
  await page.getByLabel('Email address of another guardian').fill('grandmother.wamundila@example.com')
  await named(page, 'Send Invitation').click()
  await shown(page.getByText(/^Invited, until/))
  await shown(page.getByText('Invitation sent'))
  await isWhole('guardians')
  await page.keyboard.press('Escape')
  await named(page, 'Open menu').click()
  await page.getByRole('menuitem', { name: 'View Profile' }).click()
  await shown(page.getByRole('dialog').getByText('This device'))
  await isWhole('profile')
  await page.goto('/account')
  await shown(page.getByText('Closing balance'))
  await isWhole('statement of account')
  expect(faults).toEqual([])
  await close()
})
