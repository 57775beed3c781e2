import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { createMenuItem } from '#contracts/catalogue'
import { createCycle } from '#contracts/cycles'
import { demoMenu } from '../../src/app/demo/menu'
import { axeFindings } from '../support/axe'
import { openBrowser, phone, signInOn, visit, desk } from '../support/browser'
import { eventually } from '../support/eventually'
import { menuShown } from '../support/lunch-school'
import { tab } from '../support/on-page'
import { type School, startSchool, superadminPassword } from '../support/school'
import { shown } from '../support/shown'

const webRoot = join(__dirname, '../../dist/web')
let school: School
let browser: Browser

beforeAll(async () => {
  ;[school, browser] = await Promise.all([
    startSchool({ at: '2026-09-14T06:00:00+02:00', webRoot }),
    openBrowser(),
  ])
  const office = await school.superadmin()
  for (const fields of demoMenu.filter(({ name }) =>
    ['Soup & Bread', 'Nshima Plate', 'Bean Stew'].includes(name),
  ))
    await office.call(createMenuItem, { body: fields })
  await office.call(createCycle, {
    body: { startDate: '2026-09-14', cycleLength: 4, blockedDays: [{ week: 1, day: 5 }] },
  })
})
afterAll(async () => {
  await browser?.close()
  await school?.close()
})

const addChild = async (page: Page, name: string, grade: string) => {
  await page.getByLabel('Name').fill(name)
  await page.getByRole('radio', { name: `Grade ${grade}`, exact: true }).check({ force: true })
  await page.getByRole('button', { name: 'Add Student' }).click()
  await shown(page.getByText(name))
  // It is shown while it is on its way; the form is empty once it has arrived, and takes the next one.
  await eventually(async () => (await page.getByLabel('Name').inputValue()) === '')
}

/** The card of one day; both the name of the day and its date stand in its heading. */
const dayCard = (page: Page, day: string, date: string) =>
  page
    .getByRole('heading', { name: `${day} ${date}` })
    .first()
    .locator('..')

const addMeal = async (page: Page, day: string, date: string, meal: string) => {
  const card = dayCard(page, day, date).getByRole('article').filter({ hasText: meal })
  await card.getByLabel('Protein').selectOption('vegetarian')
  await card.getByRole('button', { name: 'Add' }).click()
  await shown(card.getByRole('button', { name: 'Remove' }))
}

test.each([
  ['phone', phone, 'mother.phiri'],
  ['desk', desk, 'father.zulu'],
] as const)(
  'a family orders on a %s, cancels one line, and the kitchen sees the other',
  async (_name, size, username) => {
    const { page, faults, close } = await visit(browser, school.url, size)
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
    await addMeal(page, 'Tuesday', '15 September', 'Soup & Bread')
    await addMeal(page, 'Wednesday', '16 September', 'Soup & Bread')
    await shown(dayCard(page, 'Friday', '18 September').getByText('School Closed'))

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

    const kitchen = await visit(browser, school.url, size)
    await signInOn(kitchen.page, 'superadmin', superadminPassword)
    await shown(kitchen.page.getByText('Current Menu Items'))
    await kitchen.page.goto('/?section=kitchen')
    await kitchen.page.getByLabel('View', { exact: true }).selectOption({ label: 'Week 1' })
    await shown(kitchen.page.getByText('Soup & Bread'))
    expect(await axeFindings(kitchen.page)).toEqual([])
    expect(kitchen.faults).toEqual([])
    await kitchen.close()
  },
)
