import { chromium, type Browser, type Page } from 'playwright-core'
import { superadminPassword } from './school'

/** The browser of start-browser.ts. Closing it ends the visits made through it, and nobody else's. */
export const openBrowser = (): Promise<Browser> => chromium.connect(process.env.TUCKSHOP_TEST_BROWSER!)

export const phone = { width: 360, height: 740 }
export const tablet = { width: 768, height: 1024 }
export const desk = { width: 1280, height: 900 }

type Account = { username: string; password: string }

export const superadmin: Account = { username: 'superadmin', password: superadminPassword }
export const parentAccount = (username: string): Account => ({ username, password: 'parent-password' })

type Visit = {
  /** Whose session the visitor has already; a walk that is about signing in uses `signInOn`. */
  as?: Account
  /** The first address. */
  at?: string
}

/**
 * A fresh visitor at the service. `faults` collects what a person would never see but a developer must: errors on the
 * console, uncaught exceptions, answers of 500 and above.
 */
export const visit = async (browser: Browser, url: string, viewport = desk, { as, at = '/' }: Visit = {}) => {
  const context = await browser.newContext({ viewport, baseURL: url, reducedMotion: 'reduce' })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const faults: string[] = []
  // The browser itself reports each refused call on the console, and what it lost when the machine's network changed;
  // both are expected, faults are not.
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of 4\d\d|ERR_NETWORK_CHANGED/.test(message.text()))
      faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('response', (response) => {
    if (response.status() >= 500) faults.push(`${response.status()} ${response.url()}`)
  })
  if (as) {
    const answer = await context.request.post('/api/login', { data: as })
    if (!answer.ok()) throw new Error(`${as.username} cannot sign in: ${await answer.text()}`)
  }
  await page.goto(at)
  return { page, faults, close: () => context.close() }
}

/** Signs in on the portal entry screen. */
export const signInOn = async (page: Page, username: string, password: string): Promise<void> => {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login to Portal' }).click()
}
