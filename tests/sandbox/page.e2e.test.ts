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

/** A customer on the payment page of a new token; `faults` are what the browser's console complains of. */
const customer = async (reference: string, viewport: typeof narrow) => {
  // The way back is the shop's own server, which stands on another origin, as DPO does.
  const shopUrl = new URL('/sandbox/pay', shop.url.replace('127.0.0.1', 'localhost')).href
  const { token } = await shop.token({
    reference,
    returnUrl: `${shopUrl}?from=return`,
    backUrl: `${shopUrl}?from=back`,
  })
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce' })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 404/.test(message.text())) faults.push(message.text())
  })
  await page.goto(`${shop.url}/sandbox/pay?ID=${token}`)
  return { token, page, faults, close: () => context.close() }
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()

const isWiderThanScreen = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)

describe.each([
  ['narrow', narrow],
  ['phone', phone],
  ['desk', desk],
] as const)('on a %s screen', (name, viewport) => {
  test('the page is accessible, fits, and says that it is a sandbox', async () => {
    const { token, page, faults, close } = await customer(`LP-E1-${name}`, viewport)
    expect(await page.title()).toBe('SANDBOX: Pay Lusaka Test School')
    await page.getByText('No real money moves here').waitFor()
    expect(await axeFindings(page)).toEqual([])
    expect(await isWiderThanScreen(page)).toBe(false)
    await shop.leave(token, { outcome: 'decline' })
    await page.reload()
    expect(await axeFindings(page)).toEqual([])
    await shop.leave(token, { outcome: 'cancel' })
    await page.reload()
    await page.getByRole('heading', { name: 'This was cancelled' }).waitFor()
    expect(await axeFindings(page)).toEqual([])
    expect(await isWiderThanScreen(page)).toBe(false)
    expect(faults).toEqual([])
    await close()
  })
})

test('paying goes back to the shop, on another origin', async () => {
  const { token, page, faults, close } = await customer('LP-E2', phone)
  await press(page, 'Pay ZMW 145.00')
  await page.waitForURL(/localhost.*from=return.*TransactionToken=/)
  expect(await shop.verify(token)).toMatchObject({ kind: 'says-paid', report: { cardLast4: '1111' } })
  expect(faults).toEqual([])
  await close()
})

test('by keyboard alone: choose the other card, pay with Enter', async () => {
  const { token, page, close } = await customer('LP-E3', desk)
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/from=return/)
  expect(await shop.verify(token)).toMatchObject({ kind: 'says-paid', report: { cardLast4: '4444' } })
  await close()
})

test.each([
  ['Decline', /from=return/, 'declined'],
  [/^Cancel/, /from=back/, 'cancelled'],
])('%s goes back to the shop', async (button, address, kind) => {
  const { token, page, close } = await customer(`LP-E4-${kind}`, phone)
  await press(page, button)
  await page.waitForURL(address)
  expect(await shop.verify(token)).toMatchObject({ kind })
  await close()
})

test.each([
  ['Pay and close the browser', 'Paid, and the browser was closed', 'says-paid'],
  ['Slow bank', 'The bank takes its time', 'pending'],
])('%s stays where it is and says what has happened', async (button, words, kind) => {
  const { token, page, faults, close } = await customer(`LP-E5-${kind}`, phone)
  await press(page, new RegExp(`^${button}`))
  await page.getByRole('heading', { name: words }).waitFor()
  expect(await axeFindings(page)).toEqual([])
  expect(page.url()).toContain(`/sandbox/pay?ID=${token}`)
  expect(await shop.verify(token)).toMatchObject({ kind })
  expect(faults).toEqual([])
  await close()
})

test('without the network the page says that it did not work', async () => {
  const { token, page, close } = await customer('LP-E6', phone)
  await page.context().setOffline(true)
  await press(page, /^Slow bank/)
  await page.getByRole('heading', { name: 'That did not work' }).waitFor()
  expect(await shop.verify(token)).toMatchObject({ kind: 'pending', code: '900' })
  await close()
})
