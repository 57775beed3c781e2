import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { listMails } from '../../src/adapters/mail'
import { demoSignIns, fillDemoSchool } from '../../src/app/demo/demo-school'
import { openBrowser, phone, visit } from '../support/browser'
import { shown } from '../support/on-page'
import { startSchool, type School } from '../support/school'

const opening = '2026-09-14T06:45:30+02:00'
const desk = { width: 1280, height: 960 }
const { parent, superadmin } = demoSignIns

const screens = [
  { name: 'family-week', as: parent, at: '/', size: phone, ready: /^This week/ },
  { name: 'kitchen', as: superadmin, at: '/?section=kitchen', size: desk, ready: /^Nshima Plate$/ },
  { name: 'today', as: superadmin, at: '/?section=today', size: desk, ready: /^Today$/ },
]

const fileOf = (name: string) => join(__dirname, '../../docs/images', name)
const pictureOf = (name: string) => fileOf(`${name}.webp`)
const wordsFile = fileOf('pictures.json')

let school: School
let browser: Browser
beforeAll(async () => {
  school = await startSchool({
    at: opening,
    webRoot: join(__dirname, '../../dist/web'),
    variables: {
      SUPERADMIN_PASSWORD: superadmin.password,
      SCHOOL_NAME: 'Kabulonga Demonstration School',
    },
  })
  await fillDemoSchool({
    baseUrl: school.url,
    zone: 'Africa/Lusaka',
    size: 'small',
    opening: new Date(opening),
    setClock: school.setClock,
    mails: () => listMails(school.dataDir),
    onProgress: () => undefined,
  })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.close()
  await school?.close()
})

/** Every text that is seen, with its letters and colours, but the time since it was read: the same on any machine. */
const drawn = async (page: Page): Promise<string[]> => {
  const lines = await page.evaluate(() => {
    const lines: string[] = []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const words = texts.currentNode.textContent!.replace(/\s+/g, ' ').trim()
      const of = texts.currentNode.parentElement!
      if (words === '' || !of.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue
      const { fontSize, fontWeight, color } = getComputedStyle(of)
      lines.push(`${words} | ${of.localName} ${fontSize} ${fontWeight} ${color}`)
    }
    return lines
  })
  return lines.map((line) => line.replace(/(Updated|[Ll]ast (?:at|updated:)) \d[\d:]*/, '$1 …'))
}

test('the pictures of the README show the screens as they are', async () => {
  const seen: Record<string, string[]> = {}
  for (const { name, as, at, size, ready } of screens) {
    const { page, faults, close } = await visit(browser, school.url, size, { as, at })
    await shown(page.getByText(ready).first())
    await page.waitForLoadState('networkidle')
    seen[name] = await drawn(page)
    if (process.env.WRITE_PICTURES)
      await sharp(await page.screenshot())
        .webp({ quality: 80 })
        .toFile(pictureOf(name))
    expect(faults).toEqual([])
    await close()
  }
  if (process.env.WRITE_PICTURES) writeFileSync(wordsFile, `${JSON.stringify(seen, null, 1)}\n`)
  // Another one: `npm run docs:pictures` takes the pictures again; look at them.
  expect(seen).toEqual(JSON.parse(readFileSync(wordsFile, 'utf8')))
})

test.each(screens)('the picture of $name is small enough for a page', async ({ name, size }) => {
  const { width, height } = await sharp(readFileSync(pictureOf(name))).metadata()
  expect({ width, height }).toEqual(size)
  expect(statSync(pictureOf(name)).size).toBeLessThan(120_000)
})
