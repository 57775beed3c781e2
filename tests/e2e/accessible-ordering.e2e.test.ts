import type { Page } from 'playwright-core'
import { setAvailability } from '#contracts/catalogue'
import { addStudent, currentUser } from '#contracts/identity'
import { placeOrders, setOrderStatus } from '#contracts/ordering'
import { createDiscountCode } from '#contracts/discount-codes'
import { savePaymentBypass } from '#contracts/payments'
import { axeWalk } from '../support/axe'
import { desk, phone, signInOn, visit } from '../support/browser'
import { dayCard, openLunchSchool } from '../support/lunch-school'
import type { LunchSchool } from '../support/lunch-school'
import { shown } from '../support/shown'

jest.setTimeout(90_000)

let lunch: LunchSchool
beforeAll(async () => {
  lunch = await openLunchSchool({
    'Soup & Bread': { daysOfWeek: [1, 2] },
    'Chicken & Rice': { daysOfWeek: [3], weekNumbers: [1] },
  })
})
afterAll(() => lunch?.close())

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const told = (page: Page, words: string | RegExp) => shown(page.getByText(words))
const press = async (page: Page, name: string | RegExp) => {
  await shown(button(page, name))
  await button(page, name).first().click()
}
const showTab = (page: Page, name: string) => page.getByRole('tab', { name }).click()

const signedIn = async (username: string) => {
  const visitor = await visit(lunch.browser, lunch.school.url, desk)
  await shown(visitor.page.getByLabel('Username'))
  await signInOn(visitor.page, username, 'parent-password')
  await told(visitor.page, 'Now ordering for')
  return { ...visitor, ...axeWalk(visitor.page, { phone, desk }) }
}

/** A parent of two, with a discount: Monday's lunch of the first child is cooked, Tuesday's is ordered. */
const family = async (username: string) => {
  const parent = await lunch.school.parent(username, { email: `${username}@example.com` })
  const { id: userId } = await parent.call(currentUser)
  await lunch.office.call(createDiscountCode, {
    body: { code: username, userId, discountPercentage: 10, isActive: true },
  })
  const { id: studentId } = await parent.call(addStudent, { body: { name: 'Chipo', grade: '2' } })
  await parent.call(addStudent, { body: { name: 'Luse', grade: '5' } })
  const line = {
    menuItemId: lunch.items['Soup & Bread']!.id,
    studentId,
    weekNumber: 1,
    category: 'vegetarian',
    originalPrice: 0,
  }
  const { orders } = await parent.call(placeOrders, {
    body: [1, 2].map((dayOfWeek) => ({ ...line, dayOfWeek, comments: 'No croutons' })),
  })
  await lunch.office.call(setOrderStatus, { body: { orderIds: [orders[0]!.id], status: 'completed' } })
}

const addChicken = async (page: Page) => {
  const card = dayCard(page, 'Wednesday 16 September')
  await card.getByLabel('Protein').selectOption('chicken')
  await card.getByLabel('Side dish').selectOption('Coleslaw')
  await card.getByRole('button', { name: 'Add' }).click()
}

test('axe finds nothing on the menu with its five faces, in the cart, among students and orders', async () => {
  await family('mwila')
  const { page, look, found, close } = await signedIn('mwila')
  for (const face of [
    'Order Confirmed',
    'Order Pending',
    'Chicken & Rice',
    'No meal available',
    'School Closed',
  ])
    await told(page, face)
  await look('menu with the five faces')
  await press(page, 'Order this week')
  await press(page, /^Add \d/)
  await told(page, 'Choose a side dish')
  await look('whole week dialog with an error')
  await page.keyboard.press('Escape')
  await addChicken(page)
  await shown(button(page, 'Remove'))
  await look('menu with a meal in the cart')
  await press(page, 'Go to Cart (1 meal)')
  await told(page, 'Total K34.65')
  await look('cart')
  await press(page, 'Clear Cart')
  await shown(dialog(page, 'Clear the cart?'))
  await look('clear cart dialog')
  await page.keyboard.press('Escape')
  const params = { id: lunch.items['Chicken & Rice']!.id }
  await lunch.office.call(setAvailability, { params, body: { isAvailable: false } })
  await page.reload()
  await told(page, 'Items No Longer Available')
  await look('cart with an unavailable item')
  await lunch.office.call(setAvailability, { params, body: { isAvailable: true } })

  await showTab(page, 'Students')
  await told(page, 'Luse')
  await look('students')
  await press(page, 'Edit Luse')
  await shown(button(page, 'Save'))
  await look('students with an inline edit')
  await press(page, 'Delete Chipo')
  await shown(dialog(page, 'Delete Chipo?'))
  await look('delete dialog')
  await page.keyboard.press('Escape')

  await showTab(page, 'Order History')
  await told(page, '“No croutons”')
  await look('history')
  await press(page, 'Cancel Order')
  await shown(dialog(page, 'Cancel this order?'))
  await look('cancel dialog')

  lunch.school.setClock('2026-09-19T06:00:00+02:00')
  await page.goto('/')
  await told(page, 'Completed')
  await press(page, 'Show days')
  await look('menu with a week that is over')
  lunch.school.setClock('2026-09-14T06:00:00+02:00')
  expect(found).toEqual([])
  await close()
})

test('axe finds nothing on the way through a payment', async () => {
  await family('payer')
  const { page, look, found, close } = await signedIn('payer')
  await addChicken(page)
  await press(page, 'Go to Cart (1 meal)')
  await press(page, /^Place Order/)
  await shown(button(page, /^Pay ZMW/))
  await look('payment page')
  await press(page, /^Pay ZMW/)
  await press(page, 'Stay on this page')
  await look('payment success')
  await page.goto('/payment/success?TransID=unknown')
  await told(page, 'Payment Verification Failed')
  await press(page, 'Stay on this page')
  await look('payment failed')
  await page.goto('/payment/success')
  await told(page, 'Missing transaction ID')
  await look('payment without an id')
  await page.goto('/payment/cancel')
  await told(page, 'Payment Cancelled')
  await look('payment cancelled')
  expect(found).toEqual([])
  await close()
})

test('axe finds nothing where a parent without an e-mail address orders, and where payment is by other means', async () => {
  const parent = await lunch.school.parent('no.email')
  await parent.call(addStudent, { body: { name: 'Bupe', grade: '1' } })
  await lunch.office.call(savePaymentBypass, {
    body: {
      enabled: true,
      airtelMoney: { name: 'Lusaka Test School', number: '0970 000 001' },
      mtnMoney: { name: '', number: '' },
      bankTransfer: {
        bankName: 'Zanaco',
        accountName: 'Lusaka Test School',
        accountNumber: '0012345',
        branchName: 'Cairo Road',
        swiftCode: 'ZNCOZMLU',
      },
    },
  })
  const { page, look, found, close } = await signedIn('no.email')
  await addChicken(page)
  await press(page, 'Go to Cart (1 meal)')
  await press(page, /^Place Order/)
  await told(page, /Please add an email address/)
  await look('cart of a parent without an e-mail address')
  await press(page, 'Add an email address')
  await page.getByLabel('Email (Optional)').fill('no.email@example.com')
  await press(page, 'Save Changes')
  await press(page, /^Place Order/)
  await shown(dialog(page, 'How to pay'))
  await look('alternative payment dialog')
  expect(found).toEqual([])
  await close()
})
