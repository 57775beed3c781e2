import type { Page, Route } from 'playwright-core'
import { updateMenuItem } from '#contracts/catalogue'
import { demoMenu } from '../../src/app/demo/sample-data'
import { eventually } from '../support/eventually'
import {
  type LunchSchool,
  menuShown,
  addChicken,
  addSoup,
  button,
  loseAnswers,
  mayBePlaced,
  openSoupSchool,
  parentOnAPhone,
  press,
  told,
} from '../support/lunch-school'
import { gone, shown } from '../support/on-page'

let lunch: LunchSchool
beforeAll(async () => {
  lunch = await openSoupSchool()
})
afterAll(() => lunch?.close())

const orders = '/api/orders'

const twoSoups = async (page: Page) => {
  await addSoup(page, 'Tuesday')
  await addSoup(page, 'Wednesday')
  await press(page, 'Go to Cart (2 meals)')
}

test('an order whose answer is lost is placed once, however often it is sent', async () => {
  const { page, keys, ordered, faults, close } = await parentOnAPhone(lunch, 'answer.lost')
  await twoSoups(page)
  await loseAnswers(page, orders)
  await press(page, 'Place Order · Free')
  await told(page, 'Failed to submit order')
  await told(page, mayBePlaced)
  expect(await ordered()).toEqual([2, 3])
  await page.unroute(`**${orders}`)
  await press(page, 'Place Order · Free')
  await told(page, 'Order placed')
  await told(page, '2 meals ordered')
  await told(page, 'Your cart is empty')
  expect(await ordered()).toEqual([2, 3])
  expect(new Set(keys).size).toBe(1)
  expect(faults()).toEqual([])
  await close()
})

/** Orders two soups, and closes the page before the answer is there; the page is a new one. */
const putAway = async (username: string) => {
  const visitor = await parentOnAPhone(lunch, username)
  const { page } = visitor
  await twoSoups(page)
  let reached = false
  await page.route(`**${orders}`, async (route) => {
    await route.fetch()
    reached = true
  })
  await press(page, 'Place Order · Free')
  await eventually(() => reached)
  const context = page.context()
  await page.close()
  return { ...visitor, page: await context.newPage() }
}

/** Takes out of the page what came with it, as when the server could not read that in time. */
const withoutData = () =>
  new MutationObserver(() => document.getElementById('sent')?.remove()).observe(document, {
    childList: true,
    subtree: true,
  })

describe('a phone that is put away while the order is under way', () => {
  test('asks again when it is taken up, and nothing is ordered twice', async () => {
    const { page, keys, ordered, faults, close } = await putAway('closed.tab')
    // All is still bad: the page comes without its data, and what is ordered cannot be read.
    await page.addInitScript(withoutData)
    await page.route('**/api/orders?*', (route) => route.abort())
    await page.goto('/?tab=cart')
    await told(page, 'No answer came')
    await told(page, mayBePlaced)
    await press(page, 'Place Order · Free')
    await told(page, 'Order placed')
    await told(page, 'Your cart is empty')
    expect(await ordered()).toEqual([2, 3])
    expect(new Set(keys).size).toBe(1)
    expect(faults()).toEqual([])
    await close()
  })

  test('finds what was ordered, where it can be read', async () => {
    const { page, keys, ordered, close } = await putAway('finds.orders')
    await page.goto('/?tab=cart')
    await told(page, '2 meals are already ordered and no longer in your cart.')
    await told(page, 'Your cart is empty')
    expect(await ordered()).toEqual([2, 3])
    expect(keys).toHaveLength(1)
    await close()
  })
})

test('without a connection the cart is filled and changed, kept, and ordered later', async () => {
  const { page, keys, ordered, faults, close } = await parentOnAPhone(lunch, 'offline')
  const context = page.context()
  await addSoup(page, 'Tuesday')
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  await told(page, 'No connection. Your cart is kept.')
  await addSoup(page, 'Wednesday')
  await press(page, 'Go to Cart (2 meals)')
  await page.getByLabel('Special instructions').first().fill('No pepper')
  await press(page, 'Remove Soup & Bread on Wednesday of week 1 for Chipo')
  await press(page, 'Place Order · Free')
  await told(page, 'You are offline')
  await told(page, /Place the order once the connection is back\.$/)
  expect(keys).toEqual([])
  await page.close()

  const later = await context.newPage()
  await context.setOffline(false)
  await later.goto('/?tab=cart')
  await eventually(async () => (await later.getByLabel('Special instructions').inputValue()) === 'No pepper')
  await context.setOffline(true)
  await press(later, 'Place Order · Free')
  await told(later, 'You are offline')
  await context.setOffline(false)
  await told(later, 'You are back online')
  await gone(later.getByText('No connection. Your cart is kept.'))
  await press(later, 'Place Order · Free')
  await told(later, 'Order placed')
  expect(await ordered()).toEqual([2])
  expect(faults()).toEqual([])
  await close()
})

test('an answer that never comes is given up in time; until then the button says that it works', async () => {
  const { page, keys, ordered, faults, close } = await parentOnAPhone(lunch, 'never.answered')
  await page.clock.install()
  await page.goto('/')
  await menuShown(page)
  await twoSoups(page)
  await shown(button(page, 'Place Order · Free'))
  const held: Route[] = []
  await page.route(`**${orders}`, async (route) => {
    await route.fetch()
    held.push(route)
  })
  const passes = (ms: number) => page.clock.runFor(ms)
  await page.clock.pauseAt(new Date(Date.now() + 60_000))
  await press(page, 'Place Order · Free')
  await passes(100)
  await shown(button(page, 'Placing order'))
  await eventually(() => held.length === 1)
  await passes(6000)
  await shown(button(page, 'Still waiting for an answer'))
  await passes(24_000)
  await told(page, 'Failed to submit order')
  await told(page, mayBePlaced)
  await page.unroute(`**${orders}`)
  await page.clock.resume()
  await press(page, 'Place Order · Free')
  await told(page, 'Order placed')
  expect(await ordered()).toEqual([2, 3])
  expect(new Set(keys).size).toBe(1)
  expect(faults()).toEqual([])
  await close()
})

test('a meal that the server refuses is brought into sight with the focus; the bar covers nothing at the end', async () => {
  const { page, faults, close } = await parentOnAPhone(lunch, 'refused.line')
  await addSoup(page, 'Tuesday')
  await addSoup(page, 'Wednesday')
  await addChicken(page)
  await press(page, 'Go to Cart (3 meals)')
  const dish = demoMenu.find(({ name }) => name === 'Chicken & Rice')!
  const params = { id: lunch.items['Chicken & Rice']!.id }
  await lunch.office.call(updateMenuItem, { params, body: { ...dish, daysOfWeek: [5] } })
  await press(page, 'Place Order · K38.50')
  await told(page, 'This meal is not offered on this day')
  const line = page.getByRole('listitem').filter({ hasText: 'This meal is not offered on this day' })
  await eventually(() => line.evaluate((found) => found === document.activeElement))
  const bar = await button(page, 'Place Order · K38.50').boundingBox()
  const seen = await line.boundingBox()
  expect(seen!.y).toBeGreaterThan(0)
  expect(seen!.y + seen!.height).toBeLessThan(bar!.y)
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  const last = await button(page, 'Clear Cart').boundingBox()
  expect(last!.y + last!.height).toBeLessThan(bar!.y)
  expect(faults()).toEqual([])
  await close()
})

test('a part of the page that is lost on the way is there once the page has loaded itself anew', async () => {
  const { page, faults, close } = await parentOnAPhone(lunch, 'part.lost')
  let loads = 0
  page.on('request', (request) => void (loads += Number(request.isNavigationRequest())))
  const loseHome = () => page.route('**/assets/home-*.js', (route) => route.abort(), { times: 1 })
  await loseHome()
  await page.goto('/')
  await menuShown(page)
  expect(loads).toBe(2)
  // Not again and again: a second loss within the minute is shown.
  await loseHome()
  await page.goto('/')
  await told(page, 'This page could not be shown')
  expect(loads).toBe(3)
  expect(faults()).toEqual([expect.stringMatching('Failed to fetch dynamically imported module')])
  await close()
})
