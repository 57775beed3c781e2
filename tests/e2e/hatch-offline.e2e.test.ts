import type { Browser, Page } from 'playwright-core'
import { setPermissions } from '#contracts/accounts'
import { createAdmin } from '#contracts/identity'
import { parentAccount, phone, signInOn, superadmin, visit } from '../support/browser'
import { eventually } from '../support/eventually'
import { atTheHatch, child, giving, serveList } from '../support/hatch-device'
import { openLunchSchool, type LunchSchool } from '../support/lunch-school'
import { gone, shown } from '../support/on-page'

let lunch: LunchSchool
let browser: Browser
let url: string
beforeAll(async () => {
  lunch = await openLunchSchool({ 'Soup & Bread': {} })
  browser = lunch.browser
  url = lunch.school.url
  await lunch.school.parent('mwila')
})
afterAll(() => lunch?.close())

const signIn = (page: Page) => page.getByRole('button', { name: 'Login to Portal' })
const offlinePage = (page: Page) => page.getByRole('link', { name: 'Try again' })

/** Every address in Cache Storage, and whether any stored text has this in it. */
const storedFiles = (page: Page, words: string) =>
  page.evaluate(async (text) => {
    const files: { path: string; hasText: boolean }[] = []
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        const body = await (await cache.match(request))!.text()
        files.push({ path: new URL(request.url).pathname, hasText: body.includes(text) })
      }
    }
    return files
  }, words)

const inHttpCache = (page: Page, path: string): Promise<boolean> =>
  page.evaluate(
    (address) =>
      fetch(address, { cache: 'only-if-cached', mode: 'same-origin' }).then(
        ({ ok }) => ok,
        () => false,
      ),
    path,
  )

describe('without a network the hatch', () => {
  test('is the only page that opens: every other one says that it is offline', async () => {
    const { page, context, close } = await atTheHatch(browser, url)
    await page.goto('/')
    await eventually(() => page.evaluate(() => Boolean(navigator.serviceWorker.controller)))
    await context.setOffline(true)
    for (const path of ['/', '/settings', '/payment/success']) {
      await page.goto(path).catch(() => null)
      await shown(offlinePage(page))
    }
    await close()
  })

  test('is shut where nobody has a list, until the server answers', async () => {
    const { page, context, close } = await atTheHatch(browser, url)
    await context.setOffline(true)
    await page.evaluate(() => indexedDB.deleteDatabase('tuckshop-private'))
    await page.reload()
    await shown(page.getByText('Nobody has a list on this device.'))
    await context.setOffline(false)
    await shown(giving(page))
    await close()
  })
})

describe('nothing private is stored by the browser itself', () => {
  test('Cache Storage holds files of the build, no answer of the service and no child; the HTTP cache no answer', async () => {
    const { page, context, close } = await atTheHatch(browser, url)
    await page.reload()
    await shown(giving(page))
    const files = await storedFiles(page, child)
    expect(files.length).toBeGreaterThan(5)
    expect(files.filter(({ hasText }) => hasText)).toEqual([])
    const ofTheBuild = /^\/(?:index\.html|favicon\.svg|assets\/[^/]+-[\w-]{8}\.(?:js|css|svg|woff2))$/
    expect(files.filter(({ path }) => !ofTheBuild.test(path))).toEqual([])
    expect(files.filter(({ path }) => /console|home|portal|menu|payment|section/.test(path))).toEqual([])
    await context.unrouteAll()
    expect(await inHttpCache(page, files.find(({ path }) => path.endsWith('.css'))!.path)).toBe(true)
    for (const path of ['/api/user', '/api/portal', '/api/serving'])
      expect([path, await inHttpCache(page, path)]).toEqual([path, false])
    await close()
  })

  test('signing out leaves no list on the device, and the hatch shut', async () => {
    const { page, context, close } = await atTheHatch(browser, url)
    await page.getByRole('button', { name: 'Logout' }).click()
    await shown(signIn(page))
    const left = await page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))
    expect(left).not.toContain('tuckshop-private')
    expect((await storedFiles(page, child)).filter(({ hasText }) => hasText)).toEqual([])
    await context.setOffline(true)
    await page.reload()
    await shown(page.getByText('Nobody has a list on this device.'))
    await gone(giving(page))
    await close()
  })

  test('a family downloads and registers nothing of the hatch', async () => {
    const { page, close } = await visit(browser, url, phone, { as: parentAccount('mwila') })
    await shown(page.getByText('Welcome, mwila'))
    await eventually(() => page.evaluate(() => Boolean(navigator.serviceWorker.controller)))
    const workers = await page.evaluate(async () =>
      (await navigator.serviceWorker.getRegistrations()).map(
        ({ active }) => new URL(active!.scriptURL).pathname,
      ),
    )
    expect(workers).toEqual(['/sw.js'])
    expect(await page.evaluate(() => caches.keys())).toEqual([])
    const fetched = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => name),
    )
    expect(fetched.filter((name) => /hatch|serve/.test(name))).toEqual([])
    await close()
  })
})

test('from the home screen the hatch opens, and at other pages the portal', async () => {
  const { page, context, close } = await atTheHatch(browser, url)
  const devtools = await context.newCDPSession(page)
  const manifest = async () => {
    const { url: address, data, errors } = await devtools.send('Page.getAppManifest')
    return [new URL(address).pathname, (JSON.parse(data!) as { start_url: string }).start_url, errors]
  }
  expect(await manifest()).toEqual(['/serve.webmanifest', '/serve', []])
  await page.getByRole('link', { name: 'Kitchen View' }).click()
  await eventually(async () => expect(await manifest()).toEqual(['/manifest.webmanifest', '/', []]))
  await close()
})

describe('the session', () => {
  test.each([
    ['an error of the server', { status: 503, json: { message: 'Restarting' } }],
    ['the page of a proxy', { status: 200, contentType: 'text/html', body: '<h1>Log in to this Wi-Fi</h1>' }],
    ['the refusal of a proxy', { status: 403, contentType: 'text/html', body: '<h1>Blocked</h1>' }],
  ])('is not over for %s: the hatch opens from the device', async (_what, answer) => {
    const { page, context, close } = await atTheHatch(browser, url)
    await context.unrouteAll()
    await context.route('**/api/**', (route) => route.fulfill(answer))
    await page.reload()
    await shown(giving(page))
    await close()
  })

  test('that nobody answers for is not waited for', async () => {
    const { page, context, close } = await atTheHatch(browser, url)
    await context.unrouteAll()
    await context.route('**/api/**', () => undefined)
    await page.reload()
    await shown(giving(page))
    await close()
  })

  test('is asked for when the network is back: whoever is signed out signs in, and is at the hatch again', async () => {
    const { page, context, close } = await atTheHatch(browser, url)
    await context.setOffline(true)
    await page.reload()
    await shown(giving(page))
    await context.clearCookies()
    await context.setOffline(false)
    await shown(signIn(page))
    await gone(giving(page))
    await context.setOffline(true)
    await page.reload()
    await shown(page.getByText('Nobody has a list on this device.'))
    await context.setOffline(false)
    await signInOn(page, superadmin.username, superadmin.password)
    await shown(giving(page))
    expect(new URL(page.url()).pathname).toBe('/serve')
    await close()
  })

  test('of somebody who may not hand out any more leaves nothing of the list', async () => {
    const cook = { username: 'cook', password: 'cook-password' }
    const { id } = await lunch.office.call(createAdmin, { body: { ...cook, allowedFeatures: ['kitchen'] } })
    const { page, context, close } = await atTheHatch(browser, url, { as: cook })
    await context.setOffline(true)
    await page.reload()
    await shown(giving(page))
    await lunch.office.call(setPermissions, { params: { id }, body: { features: ['menu'] } })
    await context.setOffline(false)
    await shown(page.getByRole('heading', { name: /not found/i }))
    await context.setOffline(true)
    await page.reload()
    await shown(page.getByText('Nobody has a list on this device.'))
    await close()
  })

  test('begins at the hatch: somebody who is not signed in does that there', async () => {
    const { page, close } = await visit(browser, url, phone, { at: '/serve' })
    await serveList(page.context(), 3)
    await signInOn(page, superadmin.username, superadmin.password)
    await shown(giving(page))
    expect(new URL(page.url()).pathname).toBe('/serve')
    await close()
  })

  test('of a family does not open it', async () => {
    const { page, close } = await visit(browser, url, phone, { as: parentAccount('mwila'), at: '/serve' })
    await shown(page.getByRole('heading', { name: /not found/i }))
    await close()
  })
})
