import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { createMenuItem } from '#contracts/catalogue'
import { createCycle } from '#contracts/cycles'
import { addStudent } from '#contracts/identity'
import { listOrders, type Order } from '#contracts/ordering'
import { savePaymentBypass } from '#contracts/payments'
import { demoMenu } from '../../src/app/demo/sample-data'
import { axeFindings } from '../support/axe'
import { openBrowser, parentAccount, phone, visit } from '../support/browser'
import { eventually } from '../support/eventually'
import { menuShown } from '../support/lunch-school'
import { shown, showsText } from '../support/on-page'
import { type School, startSchool, superadminPassword } from '../support/school'

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
  const wallet = { name: '', number: '' }
  await office.call(savePaymentBypass, {
    body: {
      enabled: false,
      beside: false,
      prompt: true,
      unpaidUntil: 'never',
      airtelMoney: wallet,
      mtnMoney: wallet,
      bankTransfer: { bankName: '', accountName: '', accountNumber: '', branchName: '', swiftCode: '' },
      currentPassword: superadminPassword,
    },
  })
})
afterAll(async () => {
  await browser?.close()
  await school?.close()
})

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const heading = (page: Page, name: string) => shown(page.getByRole('heading', { level: 1, name }))

/** A parent with Tuesday's lunch in the cart, who chose Airtel Money and gave this number. */
const payingFrom = async (username: string, number: string) => {
  const parent = await school.parent(username, { email: `${username}@example.com` })
  await parent.call(addStudent, { body: { name: `Child of ${username}`, grade: '3' } })
  const { page } = await visit(browser, school.url, phone, { as: parentAccount(username) })
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
  await page.getByLabel('How do you want to pay?').selectOption('airtel')
  await page.getByLabel('Number to pay from').fill(number)
  await button(page, 'Place Order · K38.50').click()
  await heading(page, 'Look at your phone and enter your PIN')
  return { page, parent }
}

/** Presses this on the payer's phone, which is another device. */
const onPhone = async (number: string, choice: string) => {
  const { page } = await visit(browser, school.url, phone)
  await page.goto(`/sandbox/phone/${number}`)
  await button(page, choice).first().click()
  await page.waitForURL(/did=/)
  await page.context().close()
}

const ordersOf = async (parent: Awaited<ReturnType<typeof payingFrom>>['parent']) =>
  (await parent.call(listOrders)) as Order[]

test('approved on the phone: paid, ordered, and out of the cart', async () => {
  const { page, parent } = await payingFrom('bupe', '0977 200 001')
  expect(await axeFindings(page)).toEqual([])
  await showsText(page, '+260 97• ••• 001')
  await onPhone('0977200001', 'Approve')
  await heading(page, 'Payment Successful')
  expect(await ordersOf(parent)).toMatchObject([{ payBy: 'airtel', paymentStatus: 'confirmed' }])
  await page.goto('/?tab=cart')
  await showsText(page, 'Your cart is empty')
})

test('a wrong PIN is said, sent again, approved', async () => {
  const { page, parent } = await payingFrom('chola', '0977 200 002')
  // A minute after a prompt it may be sent again.
  school.setClock('2026-09-14T06:01:00+02:00')
  await onPhone('0977200002', 'Wrong PIN')
  await heading(page, 'Not paid yet')
  await showsText(page, 'The PIN was wrong. Nothing was taken.')
  expect(await axeFindings(page)).toEqual([])
  await button(page, 'Send again').click()
  await heading(page, 'Look at your phone and enter your PIN')
  await onPhone('0977200002', 'Approve')
  await heading(page, 'Payment Successful')
  expect(await ordersOf(parent)).toHaveLength(1)
})

test('another way: the cart is there, and the same payment opens the card page', async () => {
  const { page } = await payingFrom('dalitso', '0977 200 003')
  const token = new URL(page.url()).searchParams.get('TransID')
  await button(page, 'Choose another way to pay').click()
  await page.getByLabel('How do you want to pay?').selectOption('card')
  await button(page, 'Place Order · K38.50').click()
  await page.waitForURL(/\/sandbox\/pay\?ID=/)
  expect(new URL(page.url()).searchParams.get('ID')).toBe(token)
})

test('the page closed: the payment goes on by itself', async () => {
  const { page, parent } = await payingFrom('esther', '0977 200 004')
  await page.context().close()
  await onPhone('0977200004', 'Approve')
  await eventually(async () => (await ordersOf(parent)).length === 1)
})

test('two tabs: both end paid, with one order', async () => {
  const { page, parent } = await payingFrom('fackson', '0977 200 005')
  const other = await page.context().newPage()
  await other.goto(page.url())
  await heading(other, 'Look at your phone and enter your PIN')
  await onPhone('0977200005', 'Approve')
  await Promise.all([heading(page, 'Payment Successful'), heading(other, 'Payment Successful')])
  expect(await ordersOf(parent)).toHaveLength(1)
})

test('the phone slept meanwhile: what became of it shows on waking', async () => {
  const { page, parent } = await payingFrom('grace', '0977 200 006')
  await page.context().setOffline(true)
  await onPhone('0977200006', 'Approve')
  await page.context().setOffline(false)
  await heading(page, 'Payment Successful')
  expect(await ordersOf(parent)).toHaveLength(1)
})
