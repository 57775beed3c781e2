import type { Locator, Page } from 'playwright-core'
import { addStudent } from '#contracts/identity'
import { placeOrders } from '#contracts/ordering'
import { savePaymentBypass } from '#contracts/payments'
import { airtelAndBank } from '../payments/alternative-canteen'
import { desk, parentAccount, phone, superadmin, visit } from '../support/browser'
import { box } from '../support/first-screen'
import { type LunchSchool, openLunchSchool, button } from '../support/lunch-school'
import { shown } from '../support/on-page'
import { superadminPassword } from '../support/school'

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

/** A thumb that counts how often it presses; choosing from a list is one press. */
const thumb = (page: Page) => {
  let presses = 0
  const on = async (target: Locator, act: (target: Locator) => Promise<unknown> = (one) => one.click()) => {
    await shown(target)
    await act(target)
    presses++
  }
  return {
    on,
    press: (name: string | RegExp) => on(button(page, name).first()),
    /** The first of a list. */
    choose: (label: string) => on(page.getByLabel(label).first(), (list) => list.selectOption({ index: 1 })),
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

test('one meal of a parent who comes back takes at most 5 presses up to the payment page', async () => {
  const { school, browser } = lunch
  const parent = await school.parent('one.meal', { email: 'one.meal@example.com' })
  await parent.call(addStudent, { body: { name: 'Chipo', grade: '2' } })
  const { page, faults, close } = await visit(browser, school.url, phone, { as: parentAccount('one.meal') })
  const hand = thumb(page)
  await hand.choose('Protein')
  await hand.choose('Side dish')
  await hand.press(/^Add /)
  await hand.press('Go to Cart (1 meal)')
  await hand.press(/^Place Order/)
  await toPayment(page)
  expect(hand.presses()).toBeLessThanOrEqual(5)
  expect(faults).toEqual([])
  await close()
})

describe('the bursar', () => {
  beforeAll(async () => {
    await lunch.office.call(savePaymentBypass, {
      body: { ...airtelAndBank, currentPassword: superadminPassword },
    })
    const item = lunch.items['Spaghetti Bolognese']!
    for (let family = 0; family < 12; family += 1) {
      const parent = await lunch.school.parent(`owing.${family}`, { email: `owing.${family}@example.com` })
      const { id: studentId } = await parent.call(addStudent, {
        body: { name: `Child ${family}`, grade: '2' },
      })
      const meal = { menuItemId: item.id, studentId, weekNumber: 2, dayOfWeek: item.daysOfWeek[0]! }
      await parent.call(placeOrders, {
        body: [
          {
            ...meal,
            category: item.categories[0]!,
            sideDish: item.sideDishes[0],
            originalPrice: Number(item.price),
          },
        ],
      })
    }
  })
  const office = (at: string, viewport = desk) =>
    visit(lunch.browser, lunch.school.url, viewport, { as: superadmin, at })

  test('sees twelve transfers that wait on one screen, a line each', async () => {
    const { page, faults, close } = await office('/?section=pending_payments', { width: 1280, height: 800 })
    const waiting = page.getByRole('row').filter({ hasText: /LP-/ })
    await shown(waiting.nth(11))
    const { y: end } = await box(page.getByRole('checkbox', { name: 'Select all' }))
    const last = await box(waiting.nth(11))
    expect(last.y + last.height).toBeLessThanOrEqual(end)
    expect(faults).toEqual([])
    await close()
  })

  test('finds a payment by its amount with one press and an Enter', async () => {
    const { page, faults, close } = await office('/?section=today')
    const hand = thumb(page)
    await hand.press(/^Find/)
    await page.getByLabel('What to look for').fill('36.00')
    await shown(page.getByText(/^K36\.00, owing/))
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => !url.search.includes('section=today'))
    expect(hand.presses()).toBe(1)
    expect(faults).toEqual([])
    await close()
  })

  test('confirms twelve transfers that wait with 3 presses', async () => {
    const { page, faults, close } = await office('/?section=pending_payments')
    const hand = thumb(page)
    await hand.on(page.getByText('Select all', { exact: true }))
    await hand.press('Verify Selected Payments')
    await hand.press('Yes, They Are Paid')
    await shown(page.getByText(/12 (?:orders|meals|payments)/))
    expect(hand.presses()).toBe(3)
    expect(faults).toEqual([])
    await close()
  })

  test("closes a day's books with 2 presses", async () => {
    lunch.school.setClock('2026-09-15T06:00:00+02:00')
    const { page, faults, close } = await office('/?section=history&tab=books&books=day-end')
    const hand = thumb(page)
    await hand.press(/^Close (?:Mon|14)/)
    await hand.press('Close the day')
    await shown(page.getByText(/closed/i).first())
    expect(hand.presses()).toBe(2)
    expect(faults).toEqual([])
    await close()
  })
})
