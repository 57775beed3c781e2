import { join } from 'node:path'
import { mkdir, writeFile } from 'node:fs/promises'
import { createMenuItem } from '#contracts/catalogue'
import { createCycle } from '#contracts/cycles'
import { addStudent } from '#contracts/identity'
import { listOrders, type Order } from '#contracts/ordering'
import { demoMenu } from '../../src/app/demo/menu'
import { eventually } from '../support/eventually'
import { type School, startSchool } from '../support/school'
import type { Driver, Target } from './driver'
import { openFirefox } from './firefox'
import { openWebKit } from './webkit'

const { BROWSER_FIREFOX, BROWSER_WEBKIT_DRIVER, BROWSER_XVFB, BROWSER_PICTURES } = process.env
const webRoot = join(__dirname, '../../dist/web')
const patienceMs = 30_000

let school: School
beforeAll(async () => {
  school = await startSchool({ at: '2026-09-14T06:00:00+02:00', webRoot })
  const office = await school.superadmin()
  const dish = demoMenu.find(({ name }) => name === 'Chicken & Rice')!
  await office.call(createMenuItem, { body: dish })
  await office.call(createCycle, { body: { startDate: '2026-09-14', cycleLength: 4, blockedDays: [] } })
})
afterAll(() => school?.close())

const button = (name: string, inside?: Target): Target => ({ role: 'button', name, inside })

/** Acts that wait until they can be done. A picture of each screen that was read is kept where BROWSER_PICTURES says. */
const visitor = (driver: Driver, browser: string) => {
  let pictures = 0
  const picture = async () => {
    if (!BROWSER_PICTURES) return
    await mkdir(BROWSER_PICTURES, { recursive: true })
    await writeFile(join(BROWSER_PICTURES, `${browser}-${++pictures}.png`), await driver.picture())
  }
  return {
    press: (target: Target) => eventually(() => driver.press(target), patienceMs),
    write: (target: Target, text: string) => eventually(() => driver.write(target, text), patienceMs),
    choose: (target: Target, option: string) => eventually(() => driver.choose(target, option), patienceMs),
    reads: async (text: string) => {
      await eventually(async () => {
        const words = (await driver.words()).replaceAll(/\s+/g, ' ')
        if (!words.includes(text)) throw new Error(`"${text}" is not on the page, which reads:\n${words}`)
      }, patienceMs)
      await picture()
    },
  }
}

const walk = async (driver: Driver, browser: string) => {
  const { press, write, choose, reads } = visitor(driver, browser)
  const username = `parent.${browser}`
  const parent = await school.parent(username, { email: `${username}@example.com` })
  await parent.call(addStudent, { body: { name: 'Chipo', grade: '3' } })

  await driver.open(school.url)
  await reads('Login to Portal')
  await write({ label: 'Username' }, username)
  await write({ label: 'Password' }, 'parent-password')
  await press(button('Login to Portal'))
  await reads('Tuesday 15 September')

  await choose({ role: 'combobox', name: 'Side dish' }, 'Coleslaw')
  await press(button('Add'))
  await press(button('Go to Cart (1 meal)'))
  await reads('Chicken & Rice')
  await press(button('Place Order · K38.50'))

  await press(button('Pay ZMW 38.50'))
  await reads('Payment Successful')
  await press(button('Return to Home'))
  await press({ role: 'tab', name: 'Order History' })
  await reads('Can be cancelled until 07:00')

  await press(button('Cancel Order'))
  await reads('Cancel this order?')
  await press(button('Cancel Order', { role: 'dialog', name: 'Cancel this order?' }))
  await reads('Order cancelled')
  const orders = (await parent.call(listOrders)) as Order[]
  expect(orders.map(({ status }) => status)).toEqual(['cancelled'])
  expect(driver.faults()).toEqual([])
}

const browsers: [string, (() => Promise<Driver>) | null][] = [
  ['firefox', BROWSER_FIREFOX ? () => openFirefox(BROWSER_FIREFOX) : null],
  [
    'webkit',
    BROWSER_WEBKIT_DRIVER && BROWSER_XVFB
      ? () => openWebKit({ driver: BROWSER_WEBKIT_DRIVER, xvfb: BROWSER_XVFB })
      : null,
  ],
]

for (const [browser, open] of browsers)
  (open ? describe : describe.skip)(browser, () => {
    let driver: Driver
    beforeAll(async () => {
      driver = await open!()
    })
    afterAll(() => driver?.close())

    test('a parent signs in, orders, pays by card, finds the order and cancels it', () =>
      walk(driver, browser))
  })
