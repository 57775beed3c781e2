import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { createMenuItem } from '#contracts/catalogue'
import { createCycle } from '#contracts/cycles'
import { addStudent } from '#contracts/identity'
import { demoMenu } from '../../src/app/demo/sample-data'
import { axeFindings } from '../support/axe'
import { desk, openBrowser, parentAccount, phone, signInOn, visit } from '../support/browser'
import { sweepCardPayments } from '../support/card-sweeps'
import { menuShown } from '../support/lunch-school'
import { showsText, shown } from '../support/on-page'
import { type School, startSchool } from '../support/school'

const webRoot = join(__dirname, '../../dist/web')
let school: School
let browser: Browser

beforeAll(async () => {
  ;[school, browser] = await Promise.all([
    startSchool({ at: '2026-09-14T06:00:00+02:00', webRoot }),
    openBrowser(),
  ])
  const office = await school.superadmin()
  const dish = demoMenu.find(({ name }) => name === 'Chicken & Rice')!
  await office.call(createMenuItem, { body: dish })
  await office.call(createCycle, { body: { startDate: '2026-09-14', cycleLength: 4, blockedDays: [] } })
})
afterAll(async () => {
  await browser?.close()
  await school?.close()
})

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const heading = (page: Page, name: string) => shown(page.getByRole('heading', { level: 1, name }))
const clean = async (page: Page) => expect(await axeFindings(page)).toEqual([])

/** A parent of one child, signed in, with Tuesday's lunch in the cart. */
const parentWithCart = async (username: string, size = desk) => {
  const parent = await school.parent(username, { email: `${username}@example.com` })
  await parent.call(addStudent, { body: { name: `Child of ${username}`, grade: '3' } })
  const visitor = await visit(browser, school.url, size, { as: parentAccount(username) })
  const { page } = visitor
  await menuShown(page)
  const card = page
    .getByRole('heading', { name: 'Tuesday 15 September' })
    .first()
    .locator('..')
    .getByRole('article')
  await card.getByLabel('Protein').selectOption('chicken')
  await card.getByLabel('Side dish').selectOption('Coleslaw')
  await card.getByRole('button', { name: 'Add' }).click()
  await button(page, 'Go to Cart (1 meal)').click()
  return visitor
}

/** From the cart to the payment page; answers the provider's token, which stands in its address. */
const toPayment = async (page: Page): Promise<string> => {
  await button(page, 'Place Order · K38.50').click()
  await page.waitForURL(/\/sandbox\/pay\?ID=/)
  return new URL(page.url()).searchParams.get('ID')!
}

const findsTheOrder = async (page: Page) => {
  await page.goto('/?tab=orders')
  await showsText(page, 'Chicken & Rice')
  await showsText(page, 'Confirmed')
  await page.getByRole('tab', { name: 'Cart' }).click()
  await showsText(page, 'Your cart is empty')
}

const hasCart = async (page: Page) => {
  await page.goto('/?tab=cart')
  await shown(button(page, 'Place Order · K38.50'))
}

/** Lets an unnoticed payment be found: its time comes, and the sweep that looks for it runs. */
const sweepAfter = async (minutes: number) => {
  school.setClock(new Date(school.now().getTime() + minutes * 60_000))
  expect(await sweepCardPayments(school)).toEqual([])
}

test('a paid page goes home by itself', async () => {
  const { page, close } = await parentWithCart('goes.home')
  await toPayment(page)
  await page.clock.install()
  await button(page, 'Pay ZMW 38.50').click()
  await heading(page, 'Payment Successful')
  // The three seconds that it gives to read pass at once.
  await page.clock.runFor(3000)
  await page.waitForURL((url) => url.pathname === '/')
  await close()
})

test('a parent who closes the browser after paying finds the order, and nothing left in the cart', async () => {
  const { page, faults, close } = await parentWithCart('closes.browser', phone)
  await toPayment(page)
  await page.getByLabel(/Lose the message/).check()
  await button(page, /Pay and close the browser/).click()
  await heading(page, 'Paid, and the browser was closed')
  const context = page.context()
  await page.close()

  await sweepAfter(3)
  const later = await context.newPage()
  await findsTheOrder(later)
  expect(faults).toEqual([])
  await close()
})

test('a parent whom the provider sends back in another browser signs in and sees the payment', async () => {
  const { page, close } = await parentWithCart('other.browser')
  const token = await toPayment(page)
  await page.getByLabel(/Lose the message/).check()
  await button(page, /Pay and close the browser/).click()
  await heading(page, 'Paid, and the browser was closed')
  await close()

  const other = await visit(browser, school.url, phone)
  await other.page.goto(`/payment/success?TransID=${token}&TransactionToken=${token}`)
  await heading(other.page, 'Your payment is being checked')
  await clean(other.page)
  await signInOn(other.page, 'other.browser', 'parent-password')
  await heading(other.page, 'Payment Successful')
  await findsTheOrder(other.page)
  expect(other.faults).toEqual([])
  await other.close()
})

test('a parent whose card is declined keeps the cart and pays with another one', async () => {
  const { page, faults, close } = await parentWithCart('is.declined', phone)
  await toPayment(page)
  await button(page, /^Decline/).click()
  await heading(page, 'Card declined')
  await showsText(page, 'Your card was declined. Nothing was charged.')
  await clean(page)
  await button(page, 'Try again').click()
  await toPayment(page)
  await button(page, 'Pay ZMW 38.50').click()
  await heading(page, 'Payment Successful')
  await findsTheOrder(page)
  expect(faults).toEqual([])
  await close()
})

test('a parent who locks back keeps the cart, and nothing is ordered', async () => {
  const { page, faults, close } = await parentWithCart('locks.back')
  const token = await toPayment(page)
  await button(page, /Cancel and go back/).click()
  await heading(page, 'Payment Cancelled')
  await clean(page)
  await button(page, 'Try again').click()
  await shown(button(page, 'Place Order · K38.50'))
  await page.getByRole('tab', { name: 'Order History' }).click()
  await showsText(page, 'No orders')
  await hasCart(page)
  expect(await toPayment(page)).not.toBe(token)
  expect(faults).toEqual([])
  await close()
})

test('a parent who comes back by the arrow goes on with the same payment', async () => {
  const { page, faults, close } = await parentWithCart('goes.on')
  const token = await toPayment(page)
  await page.goBack()
  expect(await toPayment(page)).toBe(token)
  expect(faults).toEqual([])
  await close()
})
