import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { type MenuItem, type MenuItemFields, createMenuItem } from '#contracts/catalogue'
import { createCycle } from '#contracts/cycles'
import { addStudent } from '#contracts/identity'
import { type Order, listOrders } from '#contracts/ordering'
import { demoMenu } from '../../src/app/demo/sample-data'
import { openBrowser, parentAccount, phone, visit } from './browser'
import { shown } from './on-page'
import { startSchool } from './school'

const webRoot = join(__dirname, '../../dist/web')

export type LunchSchool = Awaited<ReturnType<typeof openLunchSchool>>

/**
 * A school on Monday 14 September 2026 at six in the morning: these dishes of the demonstration on its menu, changed
 * as told, four weeks to order in, the first Friday closed; and a browser to visit it with.
 */
export const openLunchSchool = async (dishes: Record<string, Partial<MenuItemFields>>) => {
  const [school, browser] = await Promise.all([
    startSchool({ at: '2026-09-14T06:00:00+02:00', webRoot }),
    openBrowser(),
  ])
  const office = await school.superadmin()
  const items: Record<string, MenuItem> = {}
  for (const [name, changes] of Object.entries(dishes)) {
    const fields = demoMenu.find((dish) => dish.name === name)!
    items[name] = await office.call(createMenuItem, { body: { ...fields, ...changes } })
  }
  await office.call(createCycle, {
    body: { startDate: '2026-09-14', cycleLength: 4, blockedDays: [{ week: 1, day: 5 }] },
  })
  const close = async () => {
    await browser.close()
    await school.close()
  }
  return { school, browser, office, items, close }
}

/** The card of one day of the calendar, named as its heading is: "Tuesday 15 September". */
export const dayCard = (page: Page, day: string): Locator =>
  page.getByRole('heading', { name: day }).first().locator('..')

/** Waits until the calendar of the menu can be seen, on whatever screen. */
export const menuShown = (page: Page): Promise<void> => shown(page.getByRole('navigation', { name: 'Weeks' }))

/** A school with a free soup on Tuesdays and Wednesdays and a chicken for K38.50 on Thursdays. */
export const openSoupSchool = () =>
  openLunchSchool({ 'Soup & Bread': { daysOfWeek: [2, 3] }, 'Chicken & Rice': { daysOfWeek: [4] } })

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
export const told = (page: Page, words: string | RegExp) => shown(page.getByText(words))
export const press = async (page: Page, name: string | RegExp) => {
  await shown(button(page, name))
  await button(page, name).click()
}

/** A parent of one child, signed in on a phone. `keys` are those of every order and payment that the phone sends. */
export const parentOnAPhone = async ({ school, browser }: LunchSchool, username: string) => {
  const parent = await school.parent(username, { email: `${username}@example.com` })
  await parent.call(addStudent, { body: { name: 'Chipo', grade: '3' } })
  const { page, faults, close } = await visit(browser, school.url, phone, {
    as: parentAccount(username),
  })
  const keys: string[] = []
  page.context().on('request', (request) => {
    const key = request.method() === 'POST' && request.headers()['idempotency-key']
    if (key) keys.push(key)
  })
  await menuShown(page)
  return {
    page,
    keys,
    close,
    /** The days of the week that are ordered. */
    ordered: async () => {
      const orders = (await parent.call(listOrders)) as Order[]
      return orders.map(({ dayOfWeek }) => dayOfWeek).toSorted((one, other) => one - other)
    },
    /** What only a developer would see, without the broken connections of these stories. */
    faults: () => faults.filter((fault) => !/net::ERR_/.test(fault)),
  }
}

export const addSoup = async (page: Page, day: 'Tuesday' | 'Wednesday') => {
  const card = dayCard(page, day === 'Tuesday' ? 'Tuesday 15 September' : 'Wednesday 16 September')
  await card.getByLabel('Protein').selectOption('vegetarian')
  await card.getByRole('button', { name: 'Add' }).click()
}

export const addChicken = async (page: Page) => {
  const card = dayCard(page, 'Thursday 17 September')
  await card.getByLabel('Protein').selectOption('chicken')
  await card.getByLabel('Side dish').selectOption('Coleslaw')
  await card.getByRole('button', { name: 'Add' }).click()
}

/** Lets these calls reach the server, and its answers be lost on the way back; keeps what they were. */
export const loseAnswers = async (page: Page, path: string) => {
  const lost: Record<string, unknown>[] = []
  await page.route(`**${path}`, async (route) => {
    const answer = await route.fetch()
    lost.push((await answer.json()) as Record<string, unknown>)
    await route.abort('connectionreset')
  })
  return lost
}

export const mayBePlaced = /^Your order may have been placed\. Press Place Order again/
