import type { Page } from 'playwright-core'
import { addStudent } from '#contracts/identity'
import { parentAccount, phone, visit } from '../support/browser'
import { type LunchSchool, openLunchSchool, button } from '../support/lunch-school'
import { shown } from '../support/on-page'

let lunch: LunchSchool
beforeAll(async () => {
  lunch = await openLunchSchool({
    'Nshima Plate': {},
    'Chicken & Rice': {},
    'Spaghetti Bolognese': { weekNumbers: [1, 2] },
    'Fish Fingers & Chips': { weekNumbers: [1, 2] },
    'Friday Burger': {},
    'Nshima & Village Chicken': {},
    'Beef Curry & Rice': {},
    'Pasta Alfredo': { weekNumbers: [1, 2] },
    'Kariba Bream': {},
    'Peri-Peri Burger': {},
  })
})
afterAll(() => lunch?.close())

/** A thumb that counts how often it presses. */
const thumb = (page: Page) => {
  let presses = 0
  return {
    press: async (name: string | RegExp) => {
      const target = button(page, name).first()
      await shown(target)
      await target.click()
      presses++
    },
    presses: () => presses,
  }
}

const toPayment = (page: Page) => page.waitForURL(/\/sandbox\/pay\?ID=/)

test('a full week for two children takes at most 8 presses up to the payment page, repeating it at most 5', async () => {
  const { school, browser } = lunch
  const parent = await school.parent('two.children', { email: 'two.children@example.com' })
  for (const [name, grade] of [
    ['Chipo', '2'],
    ['Luse', '9'],
  ] as const)
    await parent.call(addStudent, { body: { name, grade } })
  const { page, faults, close } = await visit(browser, school.url, phone, {
    as: parentAccount('two.children'),
  })

  const first = thumb(page)
  await first.press('Order this week')
  await first.press('Chicken')
  await first.press('Beef')
  await first.press('Any side dish')
  await first.press('Add 8 meals to the cart')
  await first.press(/^Place Order/)
  await toPayment(page)
  expect(first.presses()).toBeLessThanOrEqual(8)
  await button(page, /^Pay ZMW/).click()
  await shown(page.getByRole('heading', { name: 'Payment Successful' }))

  await page.goto('/')
  const again = thumb(page)
  await again.press('Order this week')
  // The first Friday was closed: of it nothing is repeated, and the plan says so.
  await shown(page.getByText('No lunch last week').first())
  await again.press('Add 8 meals to the cart')
  await again.press(/^Place Order/)
  await toPayment(page)
  expect(again.presses()).toBeLessThanOrEqual(5)
  expect(faults).toEqual([])
  await close()
})
