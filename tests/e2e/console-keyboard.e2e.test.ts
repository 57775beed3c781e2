import type { Locator, Page } from 'playwright-core'
import { listAdmins } from '#contracts/accounts'
import { listMenu } from '#contracts/catalogue'
import { listCycles } from '#contracts/cycles'
import { addStudent } from '#contracts/identity'
import { placeOrders } from '#contracts/ordering'
import { desk, phone, visit } from '../support/browser'
import { openLunchSchool, type LunchSchool } from '../support/lunch-school'
import {
  hasFocus,
  press,
  tabTo,
  turnTo,
  typeInto,
  button,
  dialog,
  showsText,
  gone,
  shown,
} from '../support/on-page'
import { superadminPassword } from '../support/school'

let lunch: LunchSchool
beforeAll(async () => {
  lunch = await openLunchSchool({ 'Soup & Bread': { daysOfWeek: [1] } })
  const parent = await lunch.school.parent('mother')
  for (const name of ['Chipo', 'Luse']) {
    const { id: studentId } = await parent.call(addStudent, { body: { name, grade: '2' } })
    const line = {
      menuItemId: lunch.items['Soup & Bread']!.id,
      studentId,
      category: 'vegetarian',
      originalPrice: 0,
    }
    await parent.call(placeOrders, { body: [{ ...line, weekNumber: 1, dayOfWeek: 1 }] })
  }
})
afterAll(() => lunch?.close())

const box = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true })
const tick = async (page: Page, target: Locator) => {
  await tabTo(page, target)
  await page.keyboard.press('Space')
}

/** Signs superadmin in without a mouse. */
const office = async (viewport = desk) => {
  const visitor = await visit(lunch.browser, lunch.school.url, viewport)
  const { page } = visitor
  await typeInto(page, 'Username', 'superadmin')
  await typeInto(page, 'Password', superadminPassword)
  await page.keyboard.press('Enter')
  await showsText(page, 'Current Menu Items')
  return visitor
}

const sectionLink = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
/** Goes to a section by the side menu and over what stands before its content. */
const goTo = async (page: Page, section: string) => {
  await tabTo(page, sectionLink(page, section))
  await page.keyboard.press('Enter')
  await shown(page.getByRole('heading', { level: 1, name: section }))
  await tabTo(page, sectionLink(page, 'Skip to content'), { back: true })
  await page.keyboard.press('Enter')
  await hasFocus(page.getByRole('main'))
}

test('on a phone with the keyboard alone an administrator moves between sections and leaves', async () => {
  const { page, faults, close } = await office(phone)
  await press(page, 'Open menu')
  const inMenu = dialog(page, 'Sections').getByRole('link', { name: 'Order Cycles' })
  await shown(inMenu)
  await page.keyboard.press('Escape')
  await gone(inMenu)
  await hasFocus(button(page, 'Open menu'))
  await page.keyboard.press('Enter')
  await tabTo(page, inMenu)
  await page.keyboard.press('Enter')
  await shown(page.getByRole('heading', { level: 1, name: 'Order Cycles' }))
  await hasFocus(button(page, 'Open menu'))
  await press(page, 'Logout')
  await showsText(page, 'Logged out successfully')
  expect(faults).toEqual([])
  await close()
})

test('with the keyboard alone a menu item with a protein of its own is made', async () => {
  const { page, faults, close } = await office()
  await press(page, 'Add New Menu Item')
  await press(page, 'Create Menu Item')
  await showsText(page, 'Name is required')
  await hasFocus(page.getByLabel('Name', { exact: true }))
  await page.keyboard.type('Goat Curry')
  await typeInto(page, 'Price (K)', '42.50')
  await typeInto(page, 'Add a custom protein', '  Goat ')
  await page.keyboard.press('Enter')
  await shown(page.getByRole('checkbox', { name: 'Goat', checked: true }))
  await typeInto(page, 'Goat description (optional)', 'Slow-cooked')
  await typeInto(page, 'Side dishes (optional)', 'Rape')
  await press(page, 'Add Side Dish')
  await tick(page, box(page, 'Week 2'))
  await tick(page, box(page, 'Thursday'))
  await press(page, 'Create Menu Item')
  await showsText(page, 'Menu item created successfully')
  await hasFocus(button(page, 'Add New Menu Item'))
  expect(await lunch.office.call(listMenu)).toContainEqual(
    expect.objectContaining({
      name: 'Goat Curry',
      price: '42.50',
      categories: ['goat'],
      proteinDescriptions: { goat: 'Slow-cooked' },
      sideDishes: ['Rape'],
      weekNumbers: [2],
      daysOfWeek: [4],
    }),
  )
  expect(faults).toEqual([])
  await close()
})

test('with the keyboard alone the orders of a dish are completed together', async () => {
  const { page, faults, close } = await office()
  await goTo(page, 'Kitchen View')
  await tick(page, box(page, 'Select Soup & Bread'))
  await showsText(page, '1 row, 2 orders selected')
  await press(page, 'Clear selection')
  await gone(page.getByText('1 row, 2 orders selected'))
  await hasFocus(page.locator('main:focus, main :focus'))
  await tick(page, box(page, 'Select Soup & Bread'))
  await press(page, 'Mark as Complete')
  await press(page, 'Yes, They Are Complete')
  await showsText(page, '2 orders marked as complete')
  await hasFocus(page.locator('main:focus, main :focus'))
  await press(page, 'Class lists of Monday')
  await showsText(page, 'Luse')
  await press(page, 'Back to portions')
  await showsText(page, 'Completed')
  expect(faults).toEqual([])
  await close()
})

test('with the keyboard alone a cycle is ended and the next one made in four steps', async () => {
  const { page, faults, close } = await office()
  await goTo(page, 'Order Cycles')
  await press(page, 'Deactivate')
  await shown(dialog(page, 'Deactivate this order cycle?'))
  await page.keyboard.press('Escape')
  await hasFocus(button(page, 'Deactivate'))
  await page.keyboard.press('Enter')
  await tabTo(page, dialog(page, 'Deactivate this order cycle?').getByRole('button', { name: 'Deactivate' }))
  await page.keyboard.press('Enter')
  await showsText(page, 'Order cycle deactivated')
  await press(page, 'Create New Order Cycle')
  await shown(dialog(page, 'Create Order Cycle'))
  await page.keyboard.press('Escape')
  await hasFocus(button(page, 'Create New Order Cycle'))
  await page.keyboard.press('Enter')
  const weeks = (count: number) => page.getByRole('radio', { name: `${count} weeks` })
  await turnTo(page, weeks(4), weeks(6), 'ArrowDown')
  await press(page, 'Next')
  // The same date whether the browser asks for the month first or for the day. It is a Saturday.
  await tabTo(page, page.getByLabel('Start date'))
  await page.keyboard.type('10102026')
  await showsText(page, 'Cycle must start on a Monday')
  await press(page, 'Next')
  await tick(page, box(page, 'Week 1, Friday, 9 October'))
  await showsText(page, '1 blocked day')
  await press(page, 'Next')
  await showsText(page, 'Week 1: Friday, 9 October 2026')
  await press(page, 'Create')
  await showsText(page, 'Order cycle created')
  await shown(button(page, 'Deactivate'))
  await hasFocus(page.locator('main:focus, main :focus'))
  expect((await lunch.office.call(listCycles)).find(({ isActive }) => isActive)).toMatchObject({
    startDate: '2026-10-05',
    cycleLength: 6,
    blockedDays: [{ week: 1, day: 5 }],
  })
  expect(faults).toEqual([])
  await close()
})

test('with the keyboard alone an administrator is added, given another section, and a new password', async () => {
  const { page, faults, close } = await office()
  await goTo(page, 'Admin Users')
  await press(page, /^Create Admin User/)
  await typeInto(page, 'Username', 'cook')
  await typeInto(page, 'Password', 'cook-password')
  await tick(page, box(page, 'Kitchen View'))
  await press(page, 'Create Admin')
  await showsText(page, 'Admin user created successfully')
  await hasFocus(button(page, /^Create Admin User/))
  await press(page, /^cook/)
  await tick(page, page.getByRole('switch', { name: 'Cycle History' }))
  await showsText(page, '2 features')
  await press(page, 'Change Password of cook', { back: true })
  await shown(dialog(page, 'Change Password'))
  await page.keyboard.press('Escape')
  await hasFocus(button(page, 'Change Password of cook'))
  await page.keyboard.press('Enter')
  await typeInto(page, 'New Password', 'another-password')
  await page.keyboard.press('Enter')
  await showsText(page, 'Password updated successfully')
  await hasFocus(button(page, 'Change Password of cook'))
  const cook = (await lunch.office.call(listAdmins)).find(({ username }) => username === 'cook')
  expect(cook?.allowedFeatures.toSorted()).toEqual(['history', 'kitchen'])
  expect(faults).toEqual([])
  await close()
})
