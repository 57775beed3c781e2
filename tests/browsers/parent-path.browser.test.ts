import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { firefox, webkit, type Browser } from 'playwright-core'
import { createMenuItem } from '#contracts/catalogue'
import { createCycle } from '#contracts/cycles'
import { addStudent } from '#contracts/identity'
import { listOrders, type Order } from '#contracts/ordering'
import { demoMenu } from '../../src/app/demo/sample-data'
import { phone, signInOn, visit } from '../support/browser'
import { type School, startSchool } from '../support/school'

const { BROWSER_PICTURES } = process.env
const webRoot = join(__dirname, '../../dist/web')

let school: School
beforeAll(async () => {
  school = await startSchool({ at: '2026-09-14T06:00:00+02:00', webRoot })
  const office = await school.superadmin()
  const dish = demoMenu.find(({ name }) => name === 'Chicken & Rice')!
  await office.call(createMenuItem, { body: dish })
  await office.call(createCycle, { body: { startDate: '2026-09-14', cycleLength: 4, blockedDays: [] } })
})
afterAll(() => school?.close())

const walk = async (browser: Browser, name: string) => {
  const username = `parent.${name}`
  const parent = await school.parent(username, { email: `${username}@example.com` })
  await parent.call(addStudent, { body: { name: 'Chipo', grade: '3' } })
  const { page, faults, close } = await visit(browser, school.url, phone)
  let pictures = 0
  const reads = async (text: string) => {
    await page.getByText(text).first().waitFor()
    if (!BROWSER_PICTURES) return
    await mkdir(BROWSER_PICTURES, { recursive: true })
    await page.screenshot({ path: join(BROWSER_PICTURES, `${name}-${++pictures}.png`) })
  }
  const press = (button: string | RegExp) =>
    page.getByRole('button', { name: button, exact: true }).first().click()

  await reads('Login to Portal')
  await signInOn(page, username, 'parent-password')
  await reads('Tuesday 15 September')

  await page.getByRole('combobox', { name: 'Side dish' }).first().selectOption('Coleslaw')
  await page.getByRole('button', { name: /^Add / }).first().click()
  await press('Go to Cart (1 meal)')
  await reads('Chicken & Rice')
  await press('Place Order · K38.50')

  await press('Pay ZMW 38.50')
  await reads('Payment Successful')
  await press('Return to Home')
  await page.getByRole('tab', { name: 'Order History' }).click()
  await reads('Can be cancelled until 07:00')

  await press(/^Cancel Order:/)
  const dialog = page.getByRole('dialog', { name: 'Cancel this order?' })
  await dialog.getByRole('button', { name: 'Cancel Order' }).click()
  await reads('Order cancelled')
  const orders = (await parent.call(listOrders)) as Order[]
  expect(orders.map(({ status }) => status)).toEqual(['cancelled'])
  expect(faults).toEqual([])
  await close()
}

for (const type of [firefox, webkit]) {
  const name = type.name()
  const path = 'a parent signs in, orders, pays by card, finds the order and cancels it'
  if (existsSync(type.executablePath()))
    test(`${name}: ${path}`, async () => {
      const browser = await type.launch()
      await walk(browser, name).finally(() => browser.close())
    })
  else
    test.skip(`${name}: it is not installed (npx playwright-core install ${name}): ${path}`, () => undefined)
}
