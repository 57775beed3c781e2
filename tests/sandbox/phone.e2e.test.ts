import type { Browser, Page } from 'playwright-core'
import { axeFindings } from '../support/axe'
import { desk, openBrowser, phone } from '../support/browser'
import { testDatabase, type TestDatabase } from '../support/postgres'
import { openShop, type Shop } from './shop'

let database: TestDatabase
let shop: Shop
let browser: Browser

beforeAll(async () => {
  ;[database, browser] = await Promise.all([testDatabase(), openBrowser()])
  shop = await openShop(database)
})
afterAll(async () => {
  await browser?.close()
  await shop?.close()
  await database?.close()
})

const narrow = { width: 320, height: 640 }

/** The page of a phone; `faults` are what the browser's console complains of. */
const payer = async (number: string, viewport = narrow, javaScriptEnabled = true) => {
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce', javaScriptEnabled })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 404/.test(message.text())) faults.push(message.text())
  })
  await page.goto(`${shop.url}/sandbox/phone/${number}`)
  return { page, faults, close: () => context.close() }
}

const prompted = async (reference: string, PhoneNumber: string) => {
  const { token } = await shop.token({ reference })
  await shop.charge(token, { PhoneNumber })
  return token
}

const isWiderThanScreen = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)

test.each([
  ['narrow', narrow, '260951000001'],
  ['phone', phone, '260951000002'],
  ['desk', desk, '260951000003'],
] as const)(
  'on a %s screen the phone is accessible, fits, and says that it is a sandbox',
  async (name, viewport, number) => {
    const { page, faults, close } = await payer(number, viewport)
    await page.getByText('No real money moves here').waitFor()
    await page.getByText('Nothing waits on this phone.').waitFor()
    expect(await axeFindings(page)).toEqual([])
    for (const one of ['1', '2']) await prompted(`LP-H1-${name}-${one}`, number)
    // It looks again by itself.
    await page.getByText('2 payments wait for an answer.').waitFor()
    expect(await axeFindings(page)).toEqual([])
    expect(await isWiderThanScreen(page)).toBe(false)
    await page.getByRole('button', { name: 'Wrong PIN' }).first().click()
    await page.getByText('That PIN was wrong. Nothing was paid.').waitFor()
    await page.getByText('One payment waits for an answer.').waitFor()
    expect(await axeFindings(page)).toEqual([])
    await page.goto(`${shop.url}/sandbox/phone/12`)
    await page.getByRole('heading', { name: 'There is no such phone' }).waitFor()
    expect(await axeFindings(page)).toEqual([])
    expect(faults).toEqual([])
    await close()
  },
)

test('a prompt that is being looked at stays where it is until others come', async () => {
  const token = await prompted('LP-H2', '260951000004')
  const { page, close } = await payer('0951000004')
  const approve = page.getByRole('button', { name: 'Approve' })
  await approve.focus()
  await page.waitForResponse((response) => response.request().resourceType() === 'fetch')
  await page.waitForResponse((response) => response.request().resourceType() === 'fetch')
  await page.keyboard.press('Enter')
  await page.getByText('Approved. The money has left this phone.').waitFor()
  expect(await shop.verify(token)).toMatchObject({ kind: 'says-paid', report: { method: 'AirtelZM' } })
  await close()
})

test('without script everything works too', async () => {
  const token = await prompted('LP-H3', '260951000005')
  const { page, close } = await payer('0951000005', phone, false)
  await page.getByRole('button', { name: 'Not enough money' }).click()
  await page.getByText('There was not enough money. Nothing was paid.').waitFor()
  await page.getByText('Nothing waits on this phone.').waitFor()
  expect(await shop.verify(token)).toMatchObject({ kind: 'declined', explanation: 'Insufficient funds' })
  await shop.charge(token, { PhoneNumber: '260951000005' })
  await page.getByRole('link', { name: 'Look again' }).click()
  await page.getByRole('button', { name: 'Approve' }).waitFor()
  await close()
})
