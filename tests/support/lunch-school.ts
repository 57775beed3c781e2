import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { createMenuItem, type MenuItem, type MenuItemFields } from '#contracts/catalogue'
import { createCycle } from '#contracts/cycles'
import { demoMenu } from '../../src/app/demo/sample-data'
import { openBrowser } from './browser'
import { startSchool } from './school'
import { shown } from './shown'

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
