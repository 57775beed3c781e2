import type { Browser, BrowserContext, Page } from 'playwright-core'
import { phone, superadmin, visit } from './browser'
import { servedLunch } from './served-lunch'
import { shown } from './shown'

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
export const stored = (page: Page): Promise<void> =>
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
