import type { Page } from 'playwright-core'
import { addStudent, convertToTeacher } from '#contracts/identity'
import { axeWalk } from '../support/axe'
import { parentAccount, signInOn, visit } from '../support/browser'
import { dayCard, openLunchSchool, type LunchSchool } from '../support/lunch-school'
import { button, clickButton, clickInHead, showsText, sizes, gone, shown } from '../support/on-page'

let lunch: LunchSchool
beforeAll(async () => {
  lunch = await openLunchSchool({
    'Soup & Bread': { type: 'secondary', daysOfWeek: [2], price: '0' },
    'Nshima & Village Chicken': { daysOfWeek: [3], weekNumbers: [1] },
    'Chicken & Rice': { daysOfWeek: [3], weekNumbers: [1] },
  })
})
afterAll(() => lunch?.close())

type Size = { width: number; height: number }

const signIn = async (page: Page, username: string) => {
  await shown(page.getByLabel('Username'))
  await signInOn(page, username, 'parent-password')
  await showsText(page, `Welcome, ${username}`)
}
const twoTabs = (page: Page) => page.getByRole('tab').allInnerTexts()

const portalOf = async (username: string, viewport: Size) => {
  const visitor = await visit(lunch.browser, lunch.school.url, viewport, { as: parentAccount(username) })
  await showsText(visitor.page, `Welcome, ${username}`)
  return { ...visitor, ...axeWalk(visitor.page, { screen: viewport }) }
}

/** A teacher with an email address, signed in. */
const teacherOn = async (username: string, viewport: Size) => {
  const account = await lunch.school.parent(username, { email: `${username}@example.com` })
  await account.call(convertToTeacher)
  return portalOf(username, viewport)
}

const chicken = (page: Page) => dayCard(page, 'Wednesday 16 September')

test.each(sizes)(
  'a teacher on a %s pays for a meal by card and is back at the Teacher Portal',
  async (size, viewport) => {
    const { page, faults, found, look, close } = await teacherOn(`paying.teacher.${size}`, viewport)
    await shown(chicken(page).getByText('Nshima & Village Chicken'))
    await chicken(page).getByLabel('Protein').selectOption('chicken')
    await chicken(page).getByRole('button', { name: 'Add' }).click()
    await clickButton(page, 'Go to Cart (1 meal)')
    await clickButton(page, 'Place Order · K48.00')
    await clickButton(page, 'Pay ZMW 48.00')
    await showsText(page, 'Payment Successful')
    await clickButton(page, 'Stay on this page')
    await look('payment success')
    await clickButton(page, 'Return to Home')
    await shown(chicken(page).getByText('Order Pending'))
    expect(await page.title()).toBe('Menu Calendar · Teacher Portal')
    expect(await button(page, /^Go to Cart/).count()).toBe(0)
    expect(found).toEqual([])
    expect(faults).toEqual([])
    await close()
  },
)

test.each(sizes)(
  'a parent on a %s becomes a teacher, is signed out, and signs in again as one',
  async (size, viewport) => {
    const username = `becomes.teacher.${size}`
    const account = await lunch.school.parent(username, { email: `${username}@example.com` })
    await account.call(addStudent, { body: { name: 'Chipo', grade: '2' } })
    const { page, faults, found, look, close } = await portalOf(username, viewport)
    await chicken(page).getByLabel('Protein').selectOption('chicken')
    await chicken(page).getByLabel('Side dish').selectOption('Coleslaw')
    await chicken(page).getByRole('button', { name: 'Add' }).click()
    await shown(button(page, 'Go to Cart (1 meal)'))

    await clickInHead(page, 'View Profile')
    await clickButton(page, 'Convert to Teacher Account')
    await shown(page.getByRole('dialog', { name: 'Convert to a teacher account?' }))
    await look('conversion dialog')
    await clickButton(page, 'Convert Account')
    await showsText(page, 'Account Converted')
    await showsText(page, 'Your account has been converted to a teacher account. Please log in again.')
    await shown(button(page, 'Login to Portal'))
    await look('signed out')
    expect(await page.evaluate(() => fetch('/api/user').then(({ status }) => status))).toBe(401)

    await signIn(page, username)
    await shown(chicken(page).getByText('Nshima & Village Chicken'))
    await showsText(page, 'A teacher account orders for its owner only.')
    await gone(button(page, /^Go to Cart/))
    expect((await twoTabs(page)).map((words) => words.trim())).toEqual(['Menu Calendar', 'Order History'])
    expect(await page.getByText('Chipo').count()).toBe(0)
    expect(await page.getByText('Chicken & Rice').count()).toBe(0)
    await look('menu of the new teacher')
    await clickInHead(page, 'View Profile')
    await shown(page.getByRole('dialog'))
    expect(await button(page, 'Convert to Teacher Account').count()).toBe(0)
    await look('profile of a teacher')
    expect(found).toEqual([])
    expect(faults).toEqual([])
    await close()
  },
)
