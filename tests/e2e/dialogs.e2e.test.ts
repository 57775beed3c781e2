import type { Page } from 'playwright-core'
import { searchUsers } from '#contracts/accounts'
import { addStudent, getCommunication, saveCommunication } from '#contracts/identity'
import { createDiscountCode } from '#contracts/order-reports'
import { placeOrders, saveOrderingRules, getOrderingRules } from '#contracts/ordering'
import { savePaymentBypass } from '#contracts/payments'
import { savePlan } from '#contracts/plan'
import { airtelAndBank } from '../payments/alternative-canteen'
import { mainButtonFaults } from '../support/axe'
import { parentAccount, phone, superadmin, visit } from '../support/browser'
import { eventually } from '../support/eventually'
import { menuShown, openLunchSchool, type LunchSchool } from '../support/lunch-school'
import { clickButton, clickInHead, shown, showsText, tab } from '../support/on-page'
import { superadminPassword } from '../support/school'

let lunch: LunchSchool
beforeAll(async () => {
  const daily = { daysOfWeek: [1, 2, 3, 4, 5], weekNumbers: [1, 2, 3, 4] }
  lunch = await openLunchSchool({ 'Soup & Bread': daily, 'Chicken & Rice': daily })
  const rules = await lunch.office.call(getOrderingRules)
  await lunch.office.call(saveOrderingRules, { body: { ...rules, cancelUntil: 'cutoff', plans: true } })
  await lunch.office.call(savePaymentBypass, {
    body: {
      ...airtelAndBank,
      enabled: false,
      beside: true,
      prompt: true,
      mtnMoney: airtelAndBank.airtelMoney,
      currentPassword: superadminPassword,
    },
  })
  const reached = await lunch.office.call(getCommunication)
  await lunch.office.call(saveCommunication, { body: { ...reached, supportEmail: 'help@example.com' } })
})
afterAll(() => lunch?.close())

/** Opens one dialog after another and closes it; keeps what is wrong with its main button. */
const dialogWalk = (page: Page) => {
  const found: string[] = []
  const see = async (name: string, open: () => Promise<void>, filled?: () => Promise<void>) => {
    await open()
    await shown(page.getByRole('dialog').filter({ visible: true }))
    await filled?.()
    await page.waitForLoadState('networkidle')
    const isInside = async () => (await mainButtonFaults(page)).length === 0
    // A dialog that was just opened still rises.
    await eventually(isInside, 3_000).catch(() => undefined)
    for (const fault of await mainButtonFaults(page)) found.push(`${name}: ${fault}`)
    await page.keyboard.press('Escape')
  }
  return { found, see }
}

test('on a phone the main button of every dialog of a family is inside the window', async () => {
  const parent = await lunch.school.parent('dialogs', { email: 'dialogs@example.com' })
  const { id: studentId } = await parent.call(addStudent, { body: { name: 'Luyando Zulu', grade: '3' } })
  await parent.call(addStudent, { body: { name: 'Thabo Zulu', grade: '4' } })
  const menuItemId = lunch.items['Soup & Bread']!.id
  const soup = {
    menuItemId,
    studentId,
    weekNumber: 1,
    dayOfWeek: 3,
    category: 'vegetarian',
    originalPrice: 0,
  }
  await parent.call(placeOrders, { body: [soup] })
  await parent.call(savePlan, {
    body: {
      children: [
        { studentId, days: [{ day: 1, dishes: [{ menuItemId, category: 'vegetarian', price: 0 }] }] },
      ],
      at: { day: 0, hour: 17, minute: 0 },
      pay: { by: 'credit' },
      weekLimit: null,
    },
  })
  const as = parentAccount('dialogs')
  const { page, faults, close } = await visit(lunch.browser, lunch.school.url, phone, { as })
  const { found, see } = dialogWalk(page)
  await menuShown(page)
  await see('week plan', () => clickButton(page, 'Order this week'))
  await see(
    'day sheet',
    () => clickButton(page, /15 September, Thabo Zulu: /),
    () => shown(page.getByRole('dialog').getByRole('button', { name: /^Add / })),
  )
  await see(
    'day sheet of a lunch',
    () => clickButton(page, /16 September, Luyando Zulu: /),
    () => shown(page.getByRole('dialog').getByRole('button', { name: /^Change / })),
  )
  await see(
    'contact',
    () => clickInHead(page, 'Contact'),
    () => showsText(page, 'Send Message'),
  )
  await see(
    'profile',
    () => clickInHead(page, 'View Profile'),
    () => showsText(page, 'This device'),
  )
  await see('terms', () => clickButton(page, 'Terms & Conditions'))
  await tab(page, 'Students').click()
  await see(
    'plan',
    () => clickButton(page, 'Change your plan'),
    () => showsText(page, 'How do you want to pay?'),
  )
  await see('end of the plan', () => clickButton(page, 'End'))
  await see(
    'allergies and diet',
    () => clickButton(page, 'Tell the kitchen about allergies and diet: Luyando Zulu'),
    async () => {
      await page.getByLabel('Allergies', { exact: true }).selectOption('Has allergies')
      await showsText(page, 'Peanuts')
    },
  )
  await see(
    'guardians',
    () => clickButton(page, 'Guardians: Luyando Zulu'),
    () => shown(page.getByLabel('Email address of another guardian')),
  )
  await see('delete a child', () => clickButton(page, 'Delete Luyando Zulu'))
  await tab(page, 'Order History').click()
  await see(
    'change',
    () => clickButton(page, /^Change Meal:/),
    () => shown(page.getByLabel('Special instructions')),
  )
  await see('cancel', () => clickButton(page, /^Cancel Order:/))
  expect(found).toEqual([])
  expect(faults).toEqual([])
  await close()
})

test('on a phone the main button of the dialogs of the office is inside the window', async () => {
  await lunch.school.parent('sponsored')
  const { users } = await lunch.office.call(searchUsers, { query: { q: 'sponsored' } })
  await lunch.office.call(createDiscountCode, {
    body: { code: 'LIONS-CLUB', userId: users[0]!.id, discountPercentage: 50, isActive: true },
  })
  const { page, faults, close } = await visit(lunch.browser, lunch.school.url, phone, { as: superadmin })
  const { found, see } = dialogWalk(page)
  await page.goto('/?section=cycles')
  await see('day of the calendar', () => clickButton(page, /^Thursday, 17 September/))
  await page.goto('/settings')
  await see("a sponsor's code", () => clickButton(page, /^Delete .*LIONS-CLUB/))
  await page.goto('/?section=parents_students')
  await see('a new parent', () => clickButton(page, 'Add Parent'))
  lunch.school.setClock('2026-09-15T06:00:00+02:00')
  await page.context().request.post('/api/login', { data: superadmin })
  await page.goto('/?section=history&tab=books&books=day-end')
  await see('closing of a day', () => clickButton(page, /^Close (?:Mon|14)/))
  expect(found).toEqual([])
  expect(faults).toEqual([])
  await close()
})

test('on a phone the main button of the dialogs at the door is inside the window', async () => {
  const { page, close } = await visit(lunch.browser, lunch.school.url, phone)
  const { found, see } = dialogWalk(page)
  await see('reset', () => clickButton(page, 'Forgot your password?'))
  expect(found).toEqual([])
  await close()
})
