import type { Page } from 'playwright-core'
import { axeFindings } from '../support/axe'
import { phone, signInOn, visit } from '../support/browser'
import { eventually } from '../support/eventually'
import { openLunchSchool, type LunchSchool } from '../support/lunch-school'
import { shown } from '../support/on-page'

let lunch: LunchSchool
beforeAll(async () => {
  lunch = await openLunchSchool({ 'Soup & Bread': {} })
  await lunch.school.parent('mwila')
})
afterAll(() => lunch?.close())

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

/** Somebody on a phone, after the browser has taken in what shows a page without a connection. */
const installed = async () => {
  const visitor = await visit(lunch.browser, lunch.school.url, phone)
  await shown(visitor.page.getByLabel('Username'))
  await eventually(async () => {
    if (!(await visitor.page.evaluate(() => Boolean(navigator.serviceWorker.controller))))
      throw new Error('No service worker yet')
  })
  return visitor
}

/** Asks for a page of the service, also where the browser answers that it cannot be had. */
const goTo = (page: Page, path: string) => page.goto(path).catch(() => null)

/** What the page says is what the browser says of its line, which an emulated one does not always take in. */
const toldState = async (page: Page): Promise<string> => {
  await shown(page.getByRole('link', { name: 'Try again' }))
  const isOnline = await page.evaluate(() => navigator.onLine)
  const title = isOnline ? 'The tuckshop does not answer' : 'You are offline'
  await shown(heading(page, title))
  return title
}

describe('without a connection', () => {
  test('a page says so, keeps the cart, and goes on by itself when the connection is back', async () => {
    const { page, close } = await installed()
    await signInOn(page, 'mwila', 'parent-password')
    await shown(page.getByText('Welcome, mwila'))
    await page.evaluate(() => localStorage.setItem('tuckshop-cart-0', '[{}]'))
    await page.context().setOffline(true)
    await goTo(page, '/?tab=orders')
    const title = await toldState(page)
    await shown(page.getByText(/Your cart is kept on this (?:phone|device)\./))
    expect(await page.title()).toBe(`${title} · Parent & Teacher Portal`)
    expect(await page.evaluate(() => localStorage.getItem('tuckshop-cart-0'))).toBe('[{}]')
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('link', { name: 'Try again' }).click()
    await toldState(page)

    await page.context().setOffline(false)
    await shown(page.getByText('Welcome, mwila'))
    expect(new URL(page.url()).search).toBe('?tab=orders')
    await close()
  })

  test('a drawing is there that no screen has shown before', async () => {
    const { page, close } = await installed()
    await page.context().setOffline(true)
    const drawn = await page.evaluate(() => {
      const known = document.querySelector('svg use')!
      const fresh = known.closest('svg')!.cloneNode(true) as SVGElement
      const address = known.getAttribute('href')!.replace(/#.+/, '#wallet')
      fresh.querySelector('use')!.setAttribute('href', address)
      fresh.id = 'fresh'
      document.body.append(fresh)
      return address
    })
    expect(drawn).toMatch(/^\/assets\/icons-[\w-]{8}\.svg#wallet$/)
    await eventually(() =>
      page.evaluate(() => document.querySelector<SVGUseElement>('#fresh use')!.getBBox().width > 0),
    )
    await close()
  })

  test('nothing of the server is kept: neither pages, nor parts, nor answers', async () => {
    const { page, close } = await installed()
    expect(await page.evaluate(() => caches.keys())).toEqual([])
    await page.context().setOffline(true)
    const asked = await page.evaluate(() => fetch('/api/portal').catch(() => 'no answer'))
    expect(asked).toBe('no answer')
    await close()
  })
})

test('with a connection every page comes from the server', async () => {
  const { page, faults, close } = await installed()
  const answer = await page.goto('/payment/success')
  expect([answer?.status(), answer?.headers()['cache-control']]).toEqual([200, 'private, no-store'])
  const worker = await page.request.get('/sw.js')
  expect(worker.headers()).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'no-cache',
  })
  expect(faults).toEqual([])
  await close()
})

test('the manifest is one that the browser takes, and its icons are as big as it says', async () => {
  const { page, close } = await installed()
  const devtools = await page.context().newCDPSession(page)
  const manifest = await devtools.send('Page.getAppManifest')
  expect([new URL(manifest.url).pathname, manifest.errors]).toEqual(['/manifest.webmanifest', []])
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([])

  const { icons } = JSON.parse(manifest.data!) as { icons: { src: string; sizes: string }[] }
  const sizeOf = (src: string) =>
    page.evaluate(async (address) => {
      const picture = new Image()
      picture.src = address
      await picture.decode()
      return `${picture.naturalWidth}x${picture.naturalHeight}`
    }, src)
  for (const { src, sizes } of icons) expect([src, await sizeOf(src)]).toEqual([src, sizes])
  for (const link of await page.locator('link[rel=icon], link[rel=apple-touch-icon]').all())
    expect((await page.request.get((await link.getAttribute('href'))!)).status()).toBe(200)
  await close()
})
