import type { Page } from 'playwright-core'
import { setArchived, setAvailability } from '#contracts/catalogue'
import { addStudent } from '#contracts/identity'
import { listOrders, type Order } from '#contracts/ordering'
import { savePaymentBypass, type PaymentBypass } from '#contracts/payments'
import { parentAccount, visit } from '../support/browser'
import { dayCard, openLunchSchool, type LunchSchool, menuShown } from '../support/lunch-school'
import { mailTo } from '../support/mails'
import { button, clickButton, showsText, sizes, gone, shown } from '../support/on-page'
import { superadminPassword } from '../support/school'

let lunch: LunchSchool
beforeAll(async () => {
  lunch = await openLunchSchool({
    'Soup & Bread': { daysOfWeek: [2], weekNumbers: [1] },
    'Chicken & Rice': { daysOfWeek: [3], weekNumbers: [1] },
  })
})
afterAll(() => lunch?.close())

// By key: on a phone a notification may lie over the tabs for a moment.
const showTab = (page: Page, name: string) => page.getByRole('tab', { name }).press('Enter')
const ordersOf = async (parent: { call: LunchSchool['office']['call'] }) =>
  (await parent.call(listOrders)) as Order[]

/** A parent of one child, signed in. */
const parentOn = async (username: string, viewport: { width: number; height: number }) => {
  const parent = await lunch.school.parent(username, { email: `${username}@example.com` })
  await parent.call(addStudent, { body: { name: 'Chipo', grade: '3' } })
  const visitor = await visit(lunch.browser, lunch.school.url, viewport, { as: parentAccount(username) })
  await menuShown(visitor.page)
  return { ...visitor, parent }
}

const soupCard = (page: Page) => dayCard(page, 'Tuesday 15 September')
const chickenCard = (page: Page) => dayCard(page, 'Wednesday 16 September')

const addSoup = async (page: Page) => {
  await soupCard(page).getByLabel('Protein').selectOption('vegetarian')
  await soupCard(page).getByRole('button', { name: 'Add' }).click()
}
const addChicken = async (page: Page) => {
  await chickenCard(page).getByLabel('Protein').selectOption('chicken')
  await chickenCard(page).getByLabel('Side dish').selectOption('Coleslaw')
  await chickenCard(page).getByRole('button', { name: 'Add' }).click()
}

test.each(sizes)('two tabs of a browser on a %s share one cart', async (size, viewport) => {
  const { page, faults, close } = await parentOn(`tabs.${size}`, viewport)
  const other = await page.context().newPage()
  await other.goto('/')
  await menuShown(other)
  await addSoup(page)
  await shown(button(other, 'Go to Cart (1 meal)'))
  await addChicken(other)
  await shown(button(page, 'Go to Cart (2 meals)'))
  await clickButton(page, 'Go to Cart (2 meals)')
  await clickButton(page, /^Remove Soup & Bread/)
  await shown(button(other, 'Go to Cart (1 meal)'))
  await shown(soupCard(other).getByRole('button', { name: 'Add' }))
  await shown(chickenCard(other).getByRole('button', { name: 'Remove' }))
  expect(faults).toEqual([])
  await close()
})

test.each(sizes)(
  'a meal withdrawn while it lies in a cart on a %s is named and taken out',
  async (size, viewport) => {
    const params = { id: lunch.items['Chicken & Rice']!.id }
    const { page, faults, close } = await parentOn(`withdrawn.${size}`, viewport)
    await addSoup(page)
    await addChicken(page)
    await lunch.office.call(setArchived, { params, body: { isArchived: true } })
    await clickButton(page, 'Go to Cart (2 meals)')
    const banner = page.getByRole('alert').filter({ hasText: 'Items No Longer Available' })
    await shown(banner.getByText('Chicken & Rice'))
    await clickButton(page, /^Place Order/)
    await shown(page.locator('[data-blocked]:focus').getByText('Chicken & Rice'))
    await clickButton(page, 'Remove Unavailable Items')
    await gone(banner)
    await shown(button(page, 'Place Order · Free'))

    await lunch.office.call(setArchived, { params, body: { isArchived: false } })
    await showTab(page, 'Menu Calendar')
    await addChicken(page)
    await clickButton(page, 'Go to Cart (2 meals)')
    await shown(button(page, 'Place Order · K38.50'))
    // Whatever the cart asks about its meals has been answered: only then is one of them withdrawn.
    await page.waitForLoadState('networkidle')
    await lunch.office.call(setAvailability, { params, body: { isAvailable: false } })
    await clickButton(page, 'Place Order · K38.50')
    await showsText(page, 'Cart Items Unavailable')
    await shown(banner.getByText('Chicken & Rice'))
    await lunch.office.call(setAvailability, { params, body: { isAvailable: true } })
    expect(faults).toEqual([])
    await close()
  },
)

test.each(sizes)(
  'a day ordered on a %s is ordered in its other tab at once, and on another device no second time',
  async (size, viewport) => {
    const username = `race.${size}`
    const { page, parent, faults, close } = await parentOn(username, viewport)
    const tab = await page.context().newPage()
    await tab.goto('/')
    await menuShown(tab)
    const as = parentAccount(username)
    const device = await visit(lunch.browser, lunch.school.url, viewport, { as })
    await menuShown(device.page)
    await addSoup(device.page)

    await addSoup(page)
    await clickButton(page, 'Go to Cart (1 meal)')
    await clickButton(page, 'Place Order · Free')
    await showsText(page, 'Order placed')
    await shown(soupCard(tab).getByText('Order Pending'))
    expect(await soupCard(tab).getByRole('button', { name: 'Add' }).count()).toBe(0)

    await clickButton(device.page, 'Go to Cart (1 meal)')
    await clickButton(device.page, 'Place Order · Free')
    await showsText(device.page, '1 meal is already ordered and no longer in your cart.')
    await showsText(device.page, 'Your cart is empty')
    await showTab(device.page, 'Menu Calendar')
    const foldedTuesday = button(device.page, /Tuesday: Order Pending/)
    await shown(foldedTuesday.or(soupCard(device.page).getByText('Order Pending')))
    expect(await ordersOf(parent)).toHaveLength(1)
    expect([...faults, ...device.faults]).toEqual([])
    await device.close()
    await close()
  },
)

const bypass = (enabled: boolean): PaymentBypass => ({
  enabled,
  beside: false,
  prompt: false,
  unpaidUntil: 'never',
  airtelMoney: { name: 'Lusaka Test School', number: '0970 000 001' },
  mtnMoney: { name: '', number: '' },
  bankTransfer: { bankName: '', accountName: '', accountNumber: '', branchName: '', swiftCode: '' },
})

test.each(sizes)(
  'a parent on a %s orders by alternative payment and is told how to pay, also by mail',
  async (size, viewport) => {
    await lunch.office.call(savePaymentBypass, {
      body: { ...bypass(true), currentPassword: superadminPassword },
    })
    const { page, parent, faults, close } = await parentOn(`alternative.${size}`, viewport)
    await addChicken(page)
    await clickButton(page, 'Go to Cart (1 meal)')
    await clickButton(page, 'Place Order · K38.50')
    await showsText(
      page,
      'Alternative payment methods are available. Please check your email for instructions.',
    )
    const how = page.getByRole('dialog', { name: 'How to pay' })
    await shown(how.getByText('0970 000 001'))
    await shown(how.getByText('K38.50'))
    const reference = /LP-[2-9A-HJKMNP-Z]{6}/.exec(await how.innerText())![0]
    await clickButton(page, 'Done')
    await showsText(page, 'Your cart is empty')
    const mail = await mailTo(lunch.school, `alternative.${size}@example.com`, reference)
    expect(mail.text).toContain('0970 000 001')
    await showTab(page, 'Order History')
    await showsText(page, 'Chicken & Rice')
    expect(await ordersOf(parent)).toMatchObject([{ status: 'pending', paymentStatus: 'pending' }])
    await lunch.office.call(savePaymentBypass, { body: bypass(false) })
    expect(faults).toEqual([])
    await close()
  },
)
