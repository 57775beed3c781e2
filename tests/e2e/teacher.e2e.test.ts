import { addStudent } from '#contracts/identity'
import { axeFindings } from '../support/axe'
import { desk, phone, signInOn, visit } from '../support/browser'
import { dayCard, openLunchSchool } from '../support/lunch-school'
import type { LunchSchool } from '../support/lunch-school'
import { shown } from '../support/shown'

jest.setTimeout(90_000)

const meal = 'Nshima & Village Chicken'
let lunch: LunchSchool
beforeAll(async () => {
  lunch = await openLunchSchool({
    [meal]: { price: '0', weekNumbers: [1, 2, 3, 4], daysOfWeek: [1, 2, 3, 4, 5] },
  })
})
afterAll(() => lunch?.close())

test.each([
  ['phone', phone, 'small.mwape'],
  ['desk', desk, 'large.mwape'],
] as const)(
  'on a %s a parent becomes a teacher, orders without a side dish, and cancels again',
  async (_name, size, username) => {
    const parent = await lunch.school.parent(username, { email: `${username}@example.com` })
    await parent.call(addStudent, { body: { name: 'Chipo', grade: '2' } })
    const { page, faults, close } = await visit(lunch.browser, lunch.school.url, size)
    const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click()
    const clean = async () => expect(await axeFindings(page)).toEqual([])
    const profile = async () => {
      if (size === phone) await press('Open menu')
      await page.getByRole('button', { name: 'View Profile' }).locator('visible=true').click()
    }

    await signInOn(page, username, 'parent-password')
    await shown(page.getByText('Now ordering for'))
    await profile()
    await press(/teacher/i)
    await shown(page.getByText(/log in again/i))
    await clean()
    await page
      .getByRole('dialog')
      .last()
      .getByRole('button', { name: /convert|become|yes/i })
      .click()
    await shown(page.getByText('Account Converted'))

    await signInOn(page, username, 'parent-password')
    const card = dayCard(page, 'Tuesday 15 September').getByRole('article').filter({ hasText: meal })
    await shown(card)
    expect(await card.getByLabel('Side dish').count()).toBe(0)
    await clean()
    await card.getByLabel('Protein').selectOption({ index: 1 })
    await card.getByRole('button', { name: 'Add' }).click()
    await press('Go to Cart (1 meal)')
    await clean()
    await press(/Place Order.*Free/)
    await shown(page.getByText('Your cart is empty'))
    await press('Back to Menu Calendar')
    await page.getByRole('tab', { name: 'Order History' }).click()
    await press('Cancel Order')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel Order' }).click()
    await shown(page.getByText('Order cancelled'))
    await clean()
    expect(faults).toEqual([])
    await close()
  },
)
