import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { openBrowser } from '../support/browser'
import { eventually } from '../support/eventually'
import { atTheHatch, giving } from '../support/hatch-device'
import { shown } from '../support/on-page'
import { startSchool, type School } from '../support/school'

const built = join(__dirname, '../../dist/web')
const compressed = /\.(?:br|gz)$/
const hashOf = (file: string) => /-([\w-]{8})\.\w+$/.exec(file)![1]!

let browser: Browser
let school: School
let webRoot: string
beforeEach(async () => {
  webRoot = mkdtempSync(join(tmpdir(), 'tuckshop release '))
  release('1')
  ;[browser, school] = await Promise.all([
    openBrowser(),
    startSchool({ at: '2026-09-14T06:00:00+02:00', webRoot }),
  ])
})
afterEach(async () => {
  await browser?.close()
  await school?.close()
  rmSync(webRoot, { recursive: true })
})

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64')

/** Puts this build on the server as another release: every hash in a file's name ends in this character. */
const release = (last: string): void => {
  for (const name of readdirSync(webRoot)) rmSync(join(webRoot, name), { recursive: true })
  cpSync(built, webRoot, { recursive: true, filter: (path) => !compressed.test(path) })
  const page = readFileSync(join(webRoot, 'index.html'), 'utf8')
  const assets = readdirSync(join(webRoot, 'assets'))
  const renamed = (text: string) =>
    assets.map(hashOf).reduce((all, hash) => all.replaceAll(hash, hash.slice(0, -1) + last), text)
  for (const name of assets) renameSync(join(webRoot, 'assets', name), join(webRoot, 'assets', renamed(name)))
  const texts = [...readdirSync(join(webRoot, 'assets')).map((name) => `assets/${name}`), 'index.html']
  for (const name of [...texts, 'serve-sw.js']) change(name, renamed)
  change('serve-sw.js', (text) => text.replaceAll(sha256(page), sha256(renamed(page))))
}

const change = (name: string, how: (text: string) => string) => {
  const file = join(webRoot, name)
  writeFileSync(file, how(readFileSync(file, 'utf8')))
}

/** The release of the page that is open. */
const releaseOf = (page: Page) =>
  page.evaluate(() => /(.)\.js$/.exec(document.querySelector<HTMLScriptElement>('script[src]')!.src)![1])

/** Has the browser look for a new worker, as it does by itself at every opening; answers what became of it. */
const update = (page: Page) =>
  page.evaluate(async () => {
    const registration = (await navigator.serviceWorker.getRegistration('/serve'))!
    const before = registration.active
    await registration.update().catch(() => undefined)
    for (;;) {
      const { installing, waiting, active } = registration
      if (!installing && !waiting) return active === before ? 'refused' : 'begun'
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })

const scripts = (page: Page) =>
  page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name).pathname)
      .filter((path) => path.endsWith('.js') && path.startsWith('/assets/')),
  )

const answers = (page: Page, paths: string[]) =>
  page.evaluate(async (all) => {
    const responses = await Promise.all(all.map((path) => fetch(path)))
    await Promise.all(responses.map((response) => response.text()))
    return responses.map(({ status }) => status)
  }, paths)

test('a new release begins at the next opening; what is open goes on with its own parts', async () => {
  const { page, context, close } = await atTheHatch(browser, school.url)
  const other = await context.newPage()
  await other.goto('/serve')
  await shown(giving(other))
  const parts = await scripts(other)
  expect(parts.length).toBeGreaterThan(3)
  release('2')
  expect(await update(page)).toBe('begun')
  await context.setOffline(true)
  await page.reload()
  await shown(giving(page))
  expect([await releaseOf(page), await releaseOf(other)]).toEqual(['2', '1'])
  expect(new Set(await answers(other, parts))).toEqual(new Set([200]))
  await close()
})

test('files of releases long past are removed', async () => {
  const { page, close } = await atTheHatch(browser, school.url)
  for (const last of ['2', '3', '4', '5']) {
    release(last)
    expect(await update(page)).toBe('begun')
  }
  await eventually(async () => (await page.evaluate(() => caches.keys())).length === 3)
  await page.reload()
  await shown(giving(page))
  expect(await releaseOf(page)).toBe('5')
  await close()
})

test.each([
  [
    'of which a file cannot be had',
    () => {
      const door = readdirSync(join(webRoot, 'assets')).find((name) => name.startsWith('hatch-'))!
      rmSync(join(webRoot, 'assets', door))
    },
  ],
  [
    'whose page is still that of the one before',
    () => change('index.html', (text) => text.replaceAll(/2\.(js|css)/g, '1.$1')),
  ],
])('a new release %s is not installed, and the one before opens as ever', async (_what, damage) => {
  const { page, context, close } = await atTheHatch(browser, school.url)
  release('2')
  damage()
  expect(await update(page)).toBe('refused')
  await context.setOffline(true)
  await page.reload()
  await shown(giving(page))
  expect(await releaseOf(page)).toBe('1')
  await context.setOffline(false)
  release('2')
  expect(await update(page)).toBe('begun')
  await page.reload()
  await shown(giving(page))
  expect(await releaseOf(page)).toBe('2')
  await close()
})
