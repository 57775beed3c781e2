import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { createMenuItem, listMenu } from '#contracts/catalogue'
import { createCycle } from '#contracts/cycles'
import { addStudent } from '#contracts/identity'
import { placeOrders } from '#contracts/ordering'
import { demoMenu } from '../../src/app/demo/sample-data'
import { axeFindings } from '../support/axe'
import { desk, openBrowser, phone, superadmin, visit } from '../support/browser'
import { showsText, shown } from '../support/on-page'
import { type School, startSchool } from '../support/school'

const webRoot = join(__dirname, '../../dist/web')
const monday = '2026-09-14T06:00:00+02:00'
let school: School
let browser: Browser

beforeAll(async () => {
  ;[school, browser] = await Promise.all([startSchool({ at: monday, webRoot }), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await school?.close()
})

const console = async (size: { width: number; height: number }, section: string) => {
  return visit(browser, school.url, size, { as: superadmin, at: `/?section=${section}` })
}

test('creates, edits and archives menu items', async () => {
  const { page, faults, close } = await console(desk, 'menu')
  await page.getByRole('button', { name: 'Add New Menu Item' }).first().click()
  await page.getByRole('button', { name: 'Create Menu Item' }).click()
  await showsText(page, 'Name is required')
  await showsText(page, 'Select at least one category')
  expect(await axeFindings(page)).toEqual([])
  await page.getByLabel('Name', { exact: true }).fill('Vetkoek')
  await page.getByLabel(/^Price/).fill('12.50')
  await page.getByLabel('Beef', { exact: true }).check({ force: true })
  await page.getByLabel('Week 1', { exact: true }).check({ force: true })
  await page.getByLabel('Monday', { exact: true }).check({ force: true })
  await page.getByRole('button', { name: 'Create Menu Item' }).click()
  await showsText(page, 'Menu item created successfully')
  const row = page.getByRole('row').filter({ hasText: 'Vetkoek' })
  await shown(row.getByRole('cell', { name: 'K12.50' }))

  await row
    .getByRole('button', { name: /Edit/ })
    .or(row.getByRole('link', { name: /Edit/ }))
    .click()
  await page.getByLabel(/^Price/).fill('13.00')
  await page.getByRole('button', { name: 'Update Menu Item' }).click()
  await showsText(page, 'Menu item updated successfully')

  const again = page.getByRole('row').filter({ hasText: 'Vetkoek' })
  await shown(again.getByRole('cell', { name: 'K13.00' }))
  await again.getByRole('checkbox', { name: /Select Vetkoek/ }).check({ force: true })
  await page
    .getByRole('button', { name: /^Archive/ })
    .first()
    .click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Archive/ })
    .click()
  await showsText(page, 'Selected menu items archived successfully')
  const office = await school.superadmin()
  expect(await office.call(listMenu)).toEqual([
    expect.objectContaining({ name: 'Vetkoek', price: '13.00', isArchived: true }),
  ])
  expect(faults).toEqual([])
  await close()
})

test('creates a cycle of six weeks with the four steps, a wrong day snapped to its Monday', async () => {
  const { page, faults, close } = await console(desk, 'cycles')
  await page.getByRole('button', { name: 'Create New Order Cycle' }).click()
  await page.getByRole('radio', { name: /6 weeks/ }).check({ force: true })
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByLabel('Start date').fill('2026-09-23')
  await showsText(page, 'Cycle must start on a Monday')
  expect(await page.getByLabel('Start date').inputValue()).toBe('2026-09-21')
  expect(await axeFindings(page)).toEqual([])
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('button', { name: 'Next' }).click()
  await page
    .getByRole('button', { name: /^Create/ })
    .last()
    .click()
  await showsText(page, 'Order cycle created')
  await showsText(page, '6 weeks')
  await page.getByRole('button', { name: 'Deactivate' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click()
  await showsText(page, 'Order cycle deactivated')
  await showsText(page, 'No active order cycle. Create a new cycle to start accepting orders.')
  expect(faults).toEqual([])
  await close()
})

describe('in the kitchen', () => {
  let menuItemId = 0
  beforeAll(async () => {
    const office = await school.superadmin()
    const soup = demoMenu.find(({ name }) => name === 'Soup & Bread')!
    menuItemId = (await office.call(createMenuItem, { body: soup })).id
    await office.call(createCycle, { body: { startDate: '2026-09-14', cycleLength: 4, blockedDays: [] } })
  })

  test.each([
    ['desk', desk],
    ['phone', phone],
  ] as const)('marks orders complete in the kitchen on a %s', async (name, size) => {
    const parent = await school.parent(`mother.${name}`)
    const { id: studentId } = await parent.call(addStudent, { body: { name: 'Chipo', grade: '2' } })
    const line = {
      menuItemId,
      studentId,
      category: 'vegetarian',
      originalPrice: 0,
      weekNumber: 1,
      dayOfWeek: 1,
    }
    await parent.call(placeOrders, { body: [{ ...line, comments: `No croutons, ${name}` }] })

    const { page, faults, close } = await console(size, 'kitchen')
    await showsText(page, 'Primary Portions')
    await showsText(page, `No croutons, ${name}`)
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('checkbox', { name: 'Select Soup & Bread' }).check({ force: true })
    await page.getByRole('button', { name: 'Mark as Complete' }).click()
    await page.getByRole('button', { name: 'Yes, They Are Complete' }).click()
    await showsText(page, '1 order marked as complete')
    await showsText(page, 'Completed')
    expect(faults).toEqual([])
    await close()
  })
})
