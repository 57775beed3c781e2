import { addStudent } from '#contracts/identity'
import { listOrders, placeOrders, type Order } from '#contracts/ordering'
import { savePaymentBypass } from '#contracts/payments'
import type { Client } from '../../src/app/demo/client'
import { airtelAndBank } from '../payments/alternative-canteen'
import { desk, superadmin, visit } from '../support/browser'
import { openLunchSchool, type LunchSchool } from '../support/lunch-school'
import { clickButton, dialog, field, showsText, gone, shown } from '../support/on-page'
import { superadminPassword } from '../support/school'
import { airtelFile } from '../support/upload-statement'

let lunch: LunchSchool
let family: Client
let reference: string

const meal = (dish: string, studentId: number, dayOfWeek: number, category: string, price: number) => ({
  menuItemId: lunch.items[dish]!.id,
  studentId,
  weekNumber: 1,
  dayOfWeek,
  category,
  originalPrice: price,
})

beforeAll(async () => {
  lunch = await openLunchSchool({ 'Soup & Bread': {}, 'Little Wrap': { sideDishes: [] } })
  await lunch.office.call(savePaymentBypass, {
    body: { ...airtelAndBank, currentPassword: superadminPassword },
  })
  family = await lunch.school.parent('mwila', { email: 'mwila@example.com' })
  const { id: child } = await family.call(addStudent, { body: { name: 'Chipo', grade: '2' } })
  await family.call(placeOrders, { body: [meal('Soup & Bread', child, 1, 'vegetarian', 0)] })
  const { payment } = await family.call(placeOrders, {
    body: [meal('Little Wrap', child, 3, 'chicken', 30)],
  })
  reference = payment!.reference
})
afterAll(() => lunch?.close())

const office = (at: string) => visit(lunch.browser, lunch.school.url, desk, { as: superadmin, at })

/** How the family's paid meal stands. */
const wrap = async () => {
  const orders = (await family.call(listOrders)) as Order[]
  const { status, paymentStatus } = orders.find(({ menuItem }) => menuItem.name === 'Little Wrap')!
  return [status, paymentStatus]
}

test('the kitchen completes the orders of a dish', async () => {
  const { page, faults, close } = await office('/?section=kitchen')
  await page.getByRole('checkbox', { name: 'Select Soup & Bread', exact: true }).check()
  await showsText(page, '1 row, 1 order selected')
  await clickButton(page, 'Mark as Complete')
  await clickButton(page, 'Yes, They Are Complete')
  await showsText(page, '1 lunch marked as complete.')
  expect(faults).toEqual([])
  await close()
})

test('a statement that names the reference pays the meal', async () => {
  const { page, faults, close } = await office('/?section=pending_payments&tab=statements')
  const row = `MP1,13/09/2026 06:39:12,0977111111,MWILA,30.00,lunch ${reference},Transaction Success`
  const buffer = Buffer.from(airtelFile(row))
  await field(page, 'From').selectOption('Airtel Money')
  await page.getByLabel('CSV file').setInputFiles({ name: 'today.csv', mimeType: 'text/csv', buffer })
  await clickButton(page, 'Upload')
  await showsText(page, '1 new payment')
  await clickButton(page, 'Confirm all exact (1)')
  await clickButton(page, 'Yes, Confirm')
  await showsText(page, '1 row confirmed')
  expect(await wrap()).toEqual(['pending', 'confirmed'])
  expect(faults).toEqual([])
  await close()
})

test('a day is closed, and what was paid for it is given back', async () => {
  const { page, faults, close } = await office('/?section=cycles')
  await clickButton(page, /^Wednesday, 16 September/)
  await clickButton(page, 'Close this day')
  await showsText(page, '1 order of 1 child is cancelled and every family is told.')
  await page.getByLabel(/^Reason/).fill('The oven broke')
  await clickButton(page, 'Close 1 day')
  await shown(page.getByText('The oven broke').first())
  await page.goto('/?section=refunds')
  await clickButton(page, 'Mark as Refunded: Little Wrap for Chipo')
  await dialog(page, 'Mark as Refunded').getByRole('button', { name: 'Mark as Refunded' }).click()
  await showsText(page, 'Refund completed')
  await gone(page.getByRole('dialog'))
  expect(await wrap()).toEqual(['refunded', 'confirmed'])
  expect(faults).toEqual([])
  await close()
})
