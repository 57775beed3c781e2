import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { SentMark } from '#contracts/serving'
import { phone, superadmin, visit } from './browser'
import { shown } from './on-page'
import { servedLunch } from './served-lunch'

/** A child of the list that `serveList` serves. */
export const child = 'Chanda Lungu'

const soup = { grade: '1', menuItem: 'Soup & Bread', category: null, sideDish: null } as const
const lunches = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    servedLunch('2026-09-14', index + 1, index === 0 ? child : `Child ${index}`, soup),
  )

/** Serves a day of this many lunches. */
export const serveList = (context: BrowserContext, count: number): Promise<unknown> =>
  context.route('**/api/serving', (route) =>
    route.fulfill({
      headers: { 'Cache-Control': 'no-store' },
      json: { date: '2026-09-14', at: '2026-09-14T04:00:00.000Z', lunches: lunches(count) },
    }),
  )

/** What gives this child the lunch. */
export const giving = (page: Page, name = child) =>
  page.getByRole('button', { name: `Give ${name}`, exact: true })

/** Waits until the browser has stored what opens the hatch without a network. */
const stored = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    for (;;) {
      // Until the hatch has one, this is the worker of all pages.
      const worker = (await navigator.serviceWorker.getRegistration('/serve'))?.active
      if (worker?.scriptURL.endsWith('/serve-sw.js') && worker.state === 'activated') return
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  })

type Stay = { count?: number; as?: { username: string; password: string } }

/** Somebody of the kitchen at the hatch, with everything on the device that opens it without a network. */
export const atTheHatch = async (
  browser: Browser,
  url: string,
  { count = 3, as = superadmin }: Stay = {},
) => {
  const visitor = await visit(browser, url, phone, { as, at: '/manifest.webmanifest' })
  await serveList(visitor.page.context(), count)
  await visitor.page.goto('/serve')
  await shown(giving(visitor.page))
  await stored(visitor.page)
  return { ...visitor, context: visitor.page.context() }
}

type Account = { username: string; password: string }
type Device = {
  as: Account
  url: string
  viewport: { width: number; height: number }
  /** How far ahead of this machine its clock is, in ms. */
  aheadMs: number
}

/** A device with a browser of its own at the hatch; `sent` has each mark that it sent, in the order of the first sending. */
export const hatchDevice = async (browser: Browser, { as, url, viewport, aheadMs }: Device) => {
  const context = await browser.newContext({ viewport, baseURL: url, reducedMotion: 'reduce' })
  context.setDefaultTimeout(60_000)
  await context.addInitScript(putClockAhead, aheadMs)
  const answer = await context.request.post('/api/login', { data: as })
  if (!answer.ok()) throw new Error(`${as.username} cannot sign in: ${await answer.text()}`)
  const page = await context.newPage()
  await page.goto('/serve')
  await shown(page.getByRole('button', { name: /^Give / }).first())
  await stored(page)
  return { context, page, sent: marksSentFrom(context) }
}

/** The clock of a page is this much ahead. */
const putClockAhead = (ms: number) => {
  const RightDate = Date
  globalThis.Date = class extends RightDate {
    constructor(...given: [] | ConstructorParameters<typeof RightDate>) {
      if (given.length === 0) super(RightDate.now() + ms)
      else super(...given)
    }
    static override now = () => RightDate.now() + ms
  } as DateConstructor
}

export const isSending = (request: { url: () => string; method: () => string }) =>
  request.method() === 'POST' && request.url().endsWith('/api/serving/marks')

const marksSentFrom = (context: BrowserContext): Map<string, SentMark> => {
  const sent = new Map<string, SentMark>()
  context.on('request', (request) => {
    if (!isSending(request)) return
    for (const mark of (request.postDataJSON() as { marks: SentMark[] }).marks)
      if (!sent.has(mark.markId)) sent.set(mark.markId, mark)
  })
  return sent
}

/** Presses "Give" of each of these children, one after another, as fast as the page draws. */
export const giveAll = async (page: Page, names: readonly string[]): Promise<void> => {
  await shown(giving(page, names.at(-1)))
  await page.evaluate(async (children) => {
    for (const name of children) {
      const give = [...document.querySelectorAll('button')].find((one) => one.ariaLabel === `Give ${name}`)
      if (!give) throw new Error(`There is nothing to give to ${name}`)
      give.click()
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
  }, names)
}

/** How many marks wait on the disk of this device: what a page holds that is closed at the moment of a tap is not there yet. */
export const waitingOnDisk = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const opening = indexedDB.open('tuckshop-hatch-marks')
        opening.addEventListener('success', () => {
          const db = opening.result
          const counting = db.transaction('waiting').objectStore('waiting').count()
          counting.addEventListener('success', () => {
            db.close()
            resolve(counting.result)
          })
        })
      }),
  )

/** Says something else of a lunch than that it was given. */
export const say = async (page: Page, name: string, what: 'Absent' | 'Problem'): Promise<void> => {
  const row = page.getByRole('listitem').filter({ has: page.getByLabel(`More for ${name}`, { exact: true }) })
  await row.getByLabel(`More for ${name}`, { exact: true }).click()
  await row.getByRole('button', { name: what, exact: true }).click()
  if (what === 'Absent') return
  await row.getByLabel('What is the problem?').fill('cold')
  await row.getByRole('button', { name: 'Save problem' }).click()
}

/** What the page says of each child's lunch, such as "Given by tablet", by name; those of which nothing is said are absent. */
export const standingOn = async (page: Page): Promise<Record<string, string>> => {
  await page.getByRole('button', { name: /^All \(/ }).click()
  return page.evaluate(() => {
    const rows = [...document.querySelectorAll('li')].flatMap((row): [string, string][] => {
      const more = row.querySelector('[aria-label^="More for "]')
      const words = /(Given by|Absent, said by|Problem, said by) \S+/.exec(row.textContent)
      return more && words ? [[more.ariaLabel!.slice('More for '.length), words[0]]] : []
    })
    return Object.fromEntries(rows)
  })
}
