import type { Page } from 'playwright-core'
import { setAvailability } from '#contracts/catalogue'
import { addStudent, currentUser, updateProfile } from '#contracts/identity'
import { setOrderStatus } from '#contracts/kitchen'
import { saveMessageSettings } from '#contracts/messages'
import { createDiscountCode } from '#contracts/order-reports'
import { placeOrders } from '#contracts/ordering'
import { savePaymentBypass } from '#contracts/payments'
import { axeWalk } from '../support/axe'
import { desk, parentAccount, phone, visit } from '../support/browser'
import { dayCard, openLunchSchool, type LunchSchool, menuShown } from '../support/lunch-school'
import { mailTo } from '../support/mails'
import { button, clickButton, dialog, showsText, tab, shown } from '../support/on-page'
import { superadminPassword } from '../support/school'

let lunch: LunchSchool
beforeAll(async () => {
  lunch = await openLunchSchool({
    'Soup & Bread': { daysOfWeek: [1, 2] },
    'Chicken & Rice': { daysOfWeek: [3], weekNumbers: [1] },
  })
})
afterAll(() => lunch?.close())

const showTab = (page: Page, name: string) => tab(page, name).click()

const night = { ...phone, colorScheme: 'dark' } as const

const signedIn = async (username: string, sizes: Parameters<typeof axeWalk>[1] = { phone, desk }) => {
  const visitor = await visit(lunch.browser, lunch.school.url, desk, { as: parentAccount(username) })
  await menuShown(visitor.page)
  return { ...visitor, ...axeWalk(visitor.page, sizes) }
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
  const { page, look, found, close } = await signedIn('mwila', { phone: night, desk })
  for (const face of [
    'Order Confirmed',
    'Order Pending',
    'Chicken & Rice',
    'No meal available',
    'School Closed',
  ])
    await showsText(page, face)
  await look('menu with the five faces')
  await clickButton(page, 'Order this week')
  await showsText(page, /^Still to choose/)
  await look('whole week dialog with what is still to choose')
  await page.keyboard.press('Escape')
  await addChicken(page)
  await shown(button(page, /^Remove /))
  await look('menu with a meal in the cart')
  await clickButton(page, 'Go to Cart (1 meal)')
  await showsText(page, 'Total K34.65')
  await look('cart')
  await clickButton(page, 'Clear Cart')
  await shown(dialog(page, 'Clear the cart?'))
  await look('clear cart dialog')
  await page.keyboard.press('Escape')
  const params = { id: lunch.items['Chicken & Rice']!.id }
  await lunch.office.call(setAvailability, { params, body: { isAvailable: false } })
  await page.reload()
  await showsText(page, 'Items No Longer Available')
  await look('cart with an unavailable item')
  await lunch.office.call(setAvailability, { params, body: { isAvailable: true } })

  await showTab(page, 'Students')
  await showsText(page, 'Luse')
  await look('students')
  await clickButton(page, 'Edit Luse')
  await shown(button(page, 'Save'))
  await look('students with an inline edit')
  await clickButton(page, 'Delete Chipo')
  await shown(dialog(page, 'Delete Chipo?'))
  await look('delete dialog')
  await page.keyboard.press('Escape')

  await showTab(page, 'Order History')
  await showsText(page, '“No croutons”')
  await look('history')
  await clickButton(page, /^Cancel Order:/)
  await shown(dialog(page, 'Cancel this order?'))
  await look('cancel dialog')

  lunch.school.setClock('2026-09-19T06:00:00+02:00')
  await page.goto('/')
  await showsText(page, 'Completed')
  await clickButton(page, 'Show days')
  await look('menu with a week that is over')
  lunch.school.setClock('2026-09-14T06:00:00+02:00')
  expect(found).toEqual([])
  await close()
})

test('axe finds nothing on the way through a payment', async () => {
  await family('payer')
  const { page, look, found, close } = await signedIn('payer')
  await addChicken(page)
  await clickButton(page, 'Go to Cart (1 meal)')
  await clickButton(page, /^Place Order/)
  await shown(button(page, /^Pay ZMW/))
  await look('payment page')
  await clickButton(page, /^Pay ZMW/)
  await clickButton(page, 'Stay on this page')
  await look('payment success')
  await page.goto('/payment/success?TransID=unknown')
  await showsText(page, 'Payment Verification Failed')
  await clickButton(page, 'Stay on this page')
  await look('payment failed')
  await page.goto('/payment/success')
  await showsText(page, 'Missing transaction ID')
  await look('payment without an id')
  await page.goto('/payment/cancel')
  await showsText(page, 'Payment Cancelled')
  await look('payment cancelled')
  expect(found).toEqual([])
  await close()
})

test('axe finds nothing where a parent verifies a phone on the way, and orders with it alone', async () => {
  await lunch.office.call(saveMessageSettings, {
    body: { sms: true, dailyCeiling: 10, orderWithPhone: true, reminders: true },
  })
  const parent = await lunch.school.parent('phone.alone')
  const profile = { name: 'Phone Alone', phone: '0971 234 567', currentPassword: 'parent-password' }
  await parent.call(updateProfile, { body: profile })
  await parent.call(addStudent, { body: { name: 'Mutale', grade: '1' } })
  const { page, look, found, close } = await signedIn('phone.alone', { phone: night, desk })
  const soup = dayCard(page, 'Tuesday 15 September')
  await soup.getByRole('button', { name: 'Add' }).first().click()
  await clickButton(page, 'Go to Cart (1 meal)')
  await clickButton(page, 'Verify your phone instead')
  await clickButton(page, 'Verify Your Phone')
  await look('profile with a phone that is not verified')
  await clickButton(page, 'Send a Code')
  const { text } = await mailTo(lunch.school, '+260971234567', 'SMS')
  await page.getByLabel('Code', { exact: true }).fill('12')
  await clickButton(page, 'Verify Phone')
  await showsText(page, 'Enter the 6 digits')
  await look('profile with a code that is wrong')
  await page.getByLabel('Code', { exact: true }).fill(text.slice(0, 6))
  await clickButton(page, 'Verify Phone')
  await showsText(page, 'Verified')
  await look('profile with a verified phone')
  await page.keyboard.press('Escape')
  await clickButton(page, /^Place Order/)
  await showsText(page, 'Order placed')
  expect(found).toEqual([])
  await close()
})

test('axe finds nothing where a parent without an email address orders, and where payment is by other means', async () => {
  await lunch.office.call(saveMessageSettings, {
    body: { sms: false, dailyCeiling: null, orderWithPhone: false, reminders: false },
  })
  const parent = await lunch.school.parent('no.email')
  await parent.call(addStudent, { body: { name: 'Bupe', grade: '1' } })
  await lunch.office.call(savePaymentBypass, {
    body: {
      enabled: true,
      beside: false,
      prompt: false,
      unpaidUntil: 'never',
      airtelMoney: { name: 'Lusaka Test School', number: '0970 000 001' },
      mtnMoney: { name: '', number: '' },
      bankTransfer: {
        bankName: 'Zanaco',
        accountName: 'Lusaka Test School',
        accountNumber: '0012345',
        branchName: 'Cairo Road',
        swiftCode: 'ZNCOZMLU',
      },
      currentPassword: superadminPassword,
    },
  })
  const { page, look, found, close } = await signedIn('no.email', {
    phone,
    desk: { ...desk, colorScheme: 'dark' },
  })
  await addChicken(page)
  await clickButton(page, 'Go to Cart (1 meal)')
  await showsText(page, /Please add an email address/)
  await look('cart of a parent without an email address')
  await page.getByLabel('Email Address').fill('no.email@example.com')
  await page.getByLabel('Current Password').fill('parent-password')
  await clickButton(page, 'Save Email Address')
  await showsText(page, 'Email address saved')
  await clickButton(page, /^Place Order/)
  await shown(dialog(page, 'How to pay'))
  await look('alternative payment dialog')
  expect(found).toEqual([])
  await close()
})
