import type { Locator, Page } from 'playwright-core'
import { addStudent } from '#contracts/identity'
import { createDiscountCode } from '#contracts/discount-codes'
import { searchUsers } from '#contracts/parents'
import { parentAccount, phone, signInOn, tablet, visit } from '../support/browser'
import { dayCard, openLunchSchool, type LunchSchool } from '../support/lunch-school'
import { shown } from '../support/shown'

let lunch: LunchSchool
beforeAll(async () => {
  lunch = await openLunchSchool({ 'Soup & Bread': { daysOfWeek: [2] } })
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
const named = (page: Page, name: string) => page.getByRole('button', { name })
const box = async (target: Locator) => (await target.locator('visible=true').first().boundingBox())!

const overlap = async (one: Locator, other: Locator) => {
  const [a, b] = [await box(one), await box(other)]
  const across = a.x < b.x + b.width && b.x < a.x + a.width
  return across && a.y < b.y + b.height && b.y < a.y + a.height
}

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
