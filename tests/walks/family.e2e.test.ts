import type { Page } from 'playwright-core'
import { addStudent, convertToTeacher } from '#contracts/identity'
import { axeFindings, axeWalk } from '../support/axe'
import { desk, parentAccount, phone, signInOn, superadmin, visit } from '../support/browser'
import { dayCard, menuShown, openLunchSchool, type LunchSchool } from '../support/lunch-school'
import { button, clickButton, showsText, tab, gone, shown } from '../support/on-page'

let lunch: LunchSchool
beforeAll(async () => {
  lunch = await openLunchSchool({
    'Soup & Bread': { daysOfWeek: [2, 3] },
    'Chicken & Rice': { daysOfWeek: [4] },
    'Bean Stew': { daysOfWeek: [2] },
  })
})
afterAll(() => lunch?.close())

const addChild = async (page: Page, name: string, grade: string) => {
  const another = page.getByRole('button', { name: 'Add another' })
  await shown(another.or(page.getByLabel('Name')))
  if (await another.isVisible()) await another.click()
  await page.getByLabel('Name').fill(name)
  await page.getByRole('radio', { name: `Grade ${grade}`, exact: true }).check({ force: true })
  await page.getByRole('button', { name: 'Add Student' }).click()
  await shown(page.getByRole('heading', { name: `${name} is added` }))
}

const addMeal = async (page: Page, day: string) => {
  const card = dayCard(page, day).getByRole('article')
  await card.getByLabel('Protein').selectOption('vegetarian')
  await card.getByRole('button', { name: 'Add' }).click()
  await shown(card.getByRole('button', { name: 'Remove' }))
}

test('a family orders on a phone, cancels one line, and the kitchen sees the other', async () => {
  const username = 'mother.phiri'
  const { page, faults, close } = await visit(lunch.browser, lunch.school.url, phone)
  const clean = async () => expect(await axeFindings(page)).toEqual([])
  await shown(page.getByLabel('Username'))
  await clean()
  await page.getByRole('button', { name: /Create an account/ }).click()
  await clean()
  await page.getByLabel('First Name').fill('Parent')
  await page.getByLabel('Last Name').fill(username)
  await page.getByLabel('Email Address (Optional)').fill(`${username}@example.com`)
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill('parent-password')
  await page.getByRole('button', { name: 'Create Account' }).click()

  await tab(page, 'Students').click()
  await addChild(page, `Chipo of ${username}`, '2')
  await addChild(page, `Luse of ${username}`, '9')

  await tab(page, 'Menu Calendar').click()
  await menuShown(page)
  await addMeal(page, 'Tuesday 15 September')
  await addMeal(page, 'Wednesday 16 September')
  await shown(dayCard(page, 'Friday 18 September').getByText('School Closed'))

  await page.getByRole('button', { name: 'Go to Cart (2 meals)' }).click()
  await clean()
  await page.getByRole('button', { name: /Place Order.*Free/ }).click()
  await tab(page, 'Order History').click()
  await page.getByRole('button', { name: 'Cancel Order' }).first().click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Cancel Order|Yes/ })
    .click()
  await shown(page.getByText('Order cancelled'))
  expect(faults).toEqual([])
  await close()

  const kitchen = await visit(lunch.browser, lunch.school.url, desk)
  await signInOn(kitchen.page, superadmin.username, superadmin.password)
  await shown(kitchen.page.getByText('Current Menu Items'))
  await kitchen.page.goto('/?section=kitchen')
  await kitchen.page.getByLabel('View', { exact: true }).selectOption({ label: 'Week 1' })
  await shown(kitchen.page.getByText('Soup & Bread'))
  expect(await axeFindings(kitchen.page)).toEqual([])
  expect(kitchen.faults).toEqual([])
  await kitchen.close()
})

test('a parent on a phone pays on the payment page and finds the order', async () => {
  const parent = await lunch.school.parent('pays', { email: 'pays@example.com' })
  await parent.call(addStudent, { body: { name: 'Mutinta', grade: '3' } })
  const as = parentAccount('pays')
  const { page, faults, close } = await visit(lunch.browser, lunch.school.url, phone, { as })
  await menuShown(page)
  const card = dayCard(page, 'Thursday 17 September').getByRole('article')
  await card.getByLabel('Protein').selectOption('chicken')
  await card.getByLabel('Side dish').selectOption('Coleslaw')
  await card.getByRole('button', { name: 'Add' }).click()
  await clickButton(page, 'Go to Cart (1 meal)')
  await clickButton(page, 'Place Order · K38.50')
  await clickButton(page, 'Pay ZMW 38.50')
  await shown(page.getByRole('heading', { level: 1, name: 'Payment Successful' }))
  await clickButton(page, 'Stay on this page')
  expect(await axeFindings(page)).toEqual([])
  await clickButton(page, 'Return to Home')
  await showsText(page, 'Order Pending')
  await page.goto('/?tab=orders')
  await showsText(page, 'Chicken & Rice')
  await showsText(page, 'Confirmed')
  await tab(page, 'Cart').click()
  await showsText(page, 'Your cart is empty')
  expect(faults).toEqual([])
  await close()
})

test('a teacher orders a free meal for themselves, finds it in the history, and cancels it', async () => {
  const teacher = await lunch.school.parent('teacher', { email: 'teacher@example.com' })
  await teacher.call(convertToTeacher)
  const as = parentAccount('teacher')
  const { page, faults, close } = await visit(lunch.browser, lunch.school.url, desk, { as })
  const { found, look } = axeWalk(page, { desk })
  const stew = dayCard(page, 'Tuesday 15 September')
  await shown(stew.getByText('Bean Stew'))
  expect((await page.getByRole('tab').allInnerTexts()).map((words) => words.trim())).toEqual([
    'Menu Calendar',
    'Order History',
  ])
  expect(await page.getByLabel('Side dish').count()).toBe(0)
  expect(await page.getByText('Chicken & Rice').count()).toBe(0)
  await look('menu')
  await tab(page, 'Order History').click()
  await showsText(page, 'No orders yet')
  await look('empty history')
  await clickButton(page, 'Browse the menu')

  await shown(stew.getByRole('button', { name: 'Add' }))
  await stew.getByLabel('Protein').selectOption({ index: 1 })
  await stew.getByRole('button', { name: 'Add' }).click()
  await clickButton(page, 'Go to Cart (1 meal)')
  await shown(button(page, 'Place Order · Free'))
  await look('cart')
  await clickButton(page, 'Back to Menu Calendar')
  await shown(stew.getByRole('button', { name: 'Remove' }))
  await clickButton(page, 'Go to Cart (1 meal)')
  await clickButton(page, 'Place Order · Free')
  await showsText(page, '1 meal ordered')
  await look('cart after an order')

  await tab(page, 'Order History').click()
  await showsText(page, 'Bean Stew')
  await look('history')
  await clickButton(page, /^Cancel Order:/)
  const asked = page.getByRole('dialog', { name: 'Cancel this order?' })
  await shown(asked)
  await look('cancel dialog')
  await asked.getByRole('button', { name: 'Cancel Order' }).click()
  await gone(asked)
  await shown(page.getByText('Order cancelled'))
  await look('history with a cancelled order')
  await tab(page, 'Menu Calendar').click()
  await shown(stew.getByRole('button', { name: 'Add' }))

  await page.goto('/menu/edit/1')
  await showsText(page, '404 Page Not Found')
  await look('404')
  expect(found).toEqual([])
  expect(faults).toEqual([])
  await close()
})
