import type { Page } from 'playwright-core'
import { addStudent } from '#contracts/identity'
import { listOrders, type Order } from '#contracts/ordering'
import { parentAccount, phone, visit } from './browser'
import { dayCard, openLunchSchool, type LunchSchool, menuShown } from './lunch-school'
import { shown } from './shown'

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
