import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { addStudent, convertToTeacher, featureNames, saveCommunication } from '#contracts/identity'
import { screenModules } from '../../src/app/service/web'
import { parentAccount, phone, superadmin, visit } from '../support/browser'
import { openLunchSchool, type LunchSchool } from '../support/lunch-school'
import { shown } from '../support/on-page'

let lunch: LunchSchool
beforeAll(async () => {
  lunch = await openLunchSchool({ 'Soup & Bread': {} })
  const mwila = await lunch.school.parent('mwila')
  await mwila.call(addStudent, { body: { name: 'Chipo', grade: '3' } })
  await (await lunch.school.parent('phiri')).call(convertToTeacher)
  await lunch.office.call(saveCommunication, {
    body: { supportEmail: 'office@hill.example', whatsappNumber: '+260 97 1234567' },
  })
})
afterAll(() => lunch?.close())

const contact = 'ask the school: office@hill.example, WhatsApp +260 97 1234567.'
const words = async (page: Page) => (await page.locator('body').innerText()).replace(/\s+/g, ' ')

/** Somebody who comes for the first time, after `prepare` was done to their browser. */
const comes = async (prepare: (page: Page) => Promise<unknown>, options = {}) => {
  const context = await lunch.browser.newContext({ viewport: phone, baseURL: lunch.school.url, ...options })
  const page = await context.newPage()
  await prepare(page)
  await page.goto('/', { waitUntil: 'commit' })
  return { page, close: () => context.close() }
}

test('without JavaScript the page says what it needs and how the school is reached', async () => {
  const { page, close } = await comes(async () => undefined, { javaScriptEnabled: false })
  await shown(page.locator('noscript p'))
  expect(await words(page)).toContain('The tuckshop needs JavaScript')
  expect(await words(page)).toContain(contact)
  await close()
})

test('before the first script the page stands; when that does not arrive, it says so and can be tried again', async () => {
  let isLost = true
  const { page, close } = await comes((coming) =>
    coming.route('**/assets/*.js', (route) => (isLost ? route.abort() : route.continue())),
  )
  await shown(page.getByText('The tuckshop could not be opened. Please check your connection.'))
  isLost = false
  await page.getByRole('link', { name: 'Try again' }).click()
  await shown(page.getByRole('button', { name: 'Login to Portal' }))
  await page.waitForFunction(() => !document.getElementById('not-started'))
  await close()
})

test.each([
  [
    'cannot read them',
    (page: Page) =>
      page.route('**/assets/*.js', (route) =>
        route.fulfill({ contentType: 'text/javascript', body: 'class { #new in this }' }),
      ),
  ],
  [
    'knows no modules',
    async (page: Page) => {
      await page.addInitScript(() => {
        delete (HTMLScriptElement.prototype as { noModule?: boolean }).noModule
      })
      await page.route('**/assets/*.js', (route) => route.abort())
    },
  ],
])('a browser that %s reads that it is too old, from the page alone', async (_what, prepare) => {
  const { page, close } = await comes(prepare)
  await shown(page.getByText('This browser is too old for the tuckshop.'))
  expect(await words(page)).toContain(contact)
  await close()
})

/** Which calls the page has made. */
const asked = (page: Page) =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name))
      .filter(({ pathname }) => pathname.startsWith('/api/'))
      .map(({ pathname, search }) => pathname + search),
  )

const familysCalls = ['/api/user', '/api/menu', '/api/order-cycles']
const itemsCall = '/api/menu-items?page=1&archived=false'
const kitchensCalls = ['/api/orders/today?page=1&pageSize=100', '/api/orders/conflicts']

test.each([
  ['a parent', parentAccount('mwila'), '/', 'Soup & Bread', familysCalls],
  ['a parent', parentAccount('mwila'), '/?tab=orders', 'No orders yet', familysCalls],
  ['a teacher', parentAccount('phiri'), '/', 'No meal available', familysCalls],
  ['the office', superadmin, '/?section=today', 'Lunches today', ['/api/today/figures', '/api/today']],
  ['the office', superadmin, '/?section=kitchen', 'Kitchen View', kitchensCalls],
  ['the office', superadmin, '/?section=menu', 'Current Menu Items', [itemsCall, '/api/orders/conflicts']],
  ['the office', superadmin, '/?section=live_orders', 'No Live Orders', ['/api/payments/live-orders?page=1']],
  ['the office', superadmin, '/?section=cycles', 'Accepting orders', ['/api/order-cycles', '/api/closures']],
])(
  '%s has what is shown with the page, and asks for none of it again',
  async (_who, as, at, words, calls) => {
    const { page, faults, close } = await visit(lunch.browser, lunch.school.url, phone, {
      as,
      at: '/index.html',
    })
    const answer = await page.goto(at)
    await shown(page.getByText(words).locator('visible=true').first())
    await page.waitForLoadState('networkidle')
    const sent = /id="sent">(.*?)<\/script>/.exec(await answer!.text())![1]!
    const urls = Object.keys(JSON.parse(sent))
    expect(urls).toEqual(expect.arrayContaining(calls))
    // Nothing is refused, but that a family has no discount code.
    const refused = urls.filter((url) => JSON.parse(sent)[url] === null)
    expect(refused).toEqual(urls.filter((url) => url.includes('discount-code')))
    expect((await asked(page)).filter((url) => urls.includes(url))).toEqual([])
    expect(answer!.headers()['cache-control']).toBe('private, no-store')
    expect(await page.evaluate(() => caches.keys())).toEqual([])
    expect(faults).toEqual([])
    await close()
  },
)

test('the build has made what every section of the console begins with', () => {
  const manifest = JSON.parse(readFileSync(join(__dirname, '../../dist/web/.vite/manifest.json'), 'utf8'))
  expect(Object.keys(manifest)).toEqual(expect.arrayContaining([...screenModules.values()]))
  expect([...screenModules.keys()]).toEqual(
    expect.arrayContaining(['parent', 'teacher', 'admin', ...featureNames.map((name) => `admin ${name}`)]),
  )
})

test('a visit without a session asks for nothing that is refused', async () => {
  const { page, faults, close } = await visit(lunch.browser, 'about:blank', phone, { at: 'about:blank' })
  const asked: string[] = []
  page.on('response', (response) => {
    asked.push(`${response.status()} ${new URL(response.url()).pathname}`)
  })
  await page.goto(lunch.school.url)
  await shown(page.getByRole('button', { name: 'Login to Portal' }))
  await page.waitForLoadState('networkidle')
  expect(asked).toContain('200 /')
  expect(asked.filter((answer) => /^[45]|\/api\//.test(answer))).toEqual([])
  expect(faults).toEqual([])
  await close()
})
