import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { convertToTeacher, featureNames } from '#contracts/identity'
import { listMails } from '../../src/adapters/mail'
import { desk, openBrowser, visit } from '../support/browser'
import { eventually } from '../support/eventually'
import { gone, shown } from '../support/on-page'
import { superadminPassword } from '../support/school'
import {
  freeTextIn,
  markTheRest,
  marked,
  markedFields,
  markedUser,
  openMarkedSchool,
  shownLabels,
} from './marked-school'

jest.setTimeout(240_000)

let marks: Awaited<ReturnType<typeof openMarkedSchool>>
let browser: Browser
beforeAll(async () => {
  ;[marks, browser] = await Promise.all([openMarkedSchool(webRoot), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await marks?.school.close()
})

/** All texts seen on any screen, in fields and titles too. */
const seen: string[] = []

const webRoot = join(__dirname, '../../dist/web')
/** The one script that stands in the page itself. */
const ownScript = /<script>([^]*?)<\/script>/.exec(readFileSync(join(webRoot, 'index.html'), 'utf8'))![1]!

/** What must never be on a page: an element made of a text, or a sign that a script of one ran. */
const madeOfText = (own: string) => {
  const strange = document.querySelectorAll(
    'img[src="x"], [onerror], [onclick], [onload], script:not([src], [type="application/json"])',
  )
  const ran = 'stolen' in window ? ['a script ran'] : []
  const elements = [...strange]
    .filter((element) => element.textContent !== own)
    .map((element) => element.outerHTML.slice(0, 200))
  const violations = (window as unknown as { violations: string[] }).violations
  return [...ran, ...elements, ...violations]
}
const textOf = () => {
  const fields = [...document.querySelectorAll('input, textarea')].map(
    (field) => (field as HTMLInputElement).value,
  )
  return [document.title, document.body.innerText, ...fields].join('\n')
}

/** A visitor whose browser tells of every dialog, every refused script and every element made of a text. */
const open = async (username: string, password: string) => {
  const visitor = await visit(browser, marks.school.url, desk, { at: '/robots.txt' })
  const { page } = visitor
  const found: string[] = []
  page.on('dialog', (dialog) => {
    // The browser's own question before unsaved words are left.
    if (dialog.type() === 'beforeunload') return void dialog.accept()
    found.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  await page.addInitScript(() => {
    const violations: string[] = []
    Object.assign(window, { violations })
    document.addEventListener('securitypolicyviolation', (event) => {
      violations.push(`${event.violatedDirective} ${event.blockedURI}`)
    })
  })
  await page.goto('/')
  const look = async (screen: string) => {
    seen.push(await page.evaluate(textOf))
    found.push(...(await page.evaluate(madeOfText, ownScript)).map((fault) => `${screen}: ${fault}`))
  }
  await look('sign-in')
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Login to Portal' }).click()
  await gone(page.getByRole('button', { name: 'Login to Portal' }))
  await settled(page)
  return { page, found, look, close: visitor.close }
}

/** The screen is drawn and waits for nothing. */
const settled = async (page: Page) => {
  await shown(page.locator('main :is(h1, h2, h3, table, form, label, p)'))
  await gone(page.locator('main output'))
}

/** Everything on a screen that opens without leaving it. */
const unfold = async (page: Page) => {
  const folded = page.locator('main [aria-expanded="false"]:not([aria-haspopup]):not([role="combobox"])')
  for (let left = await folded.count(); left > 0; left -= 1) {
    const next = folded.first()
    if (!(await next.isVisible().catch(() => false))) break
    await next.click()
  }
}

/** Types the words into every text field that is there, as somebody does who tries them all. */
const fillAll = async (page: Page) => {
  const fields = page.locator(
    'main :is(input[type="text"], input[type="search"], input:not([type]), textarea)',
  )
  for (const field of await fields.all())
    if (await field.isEditable().catch(() => false)) await field.fill(marked('typed')).catch(() => undefined)
}

const walkTabs = async (page: Page, look: (screen: string) => Promise<void>) => {
  for (const tab of await page.getByRole('tab').all()) {
    const name = (await tab.textContent()) ?? ''
    await tab.click()
    await settled(page)
    await unfold(page)
    await look(name)
    await fillAll(page)
    await look(`${name}, filled`)
  }
}

test('a parent’s screens show every text as text', async () => {
  const { page, found, look, close } = await open(markedUser.username, markedUser.password)
  await walkTabs(page, look)
  await markTheRest(marks)
  await page.goto('/?tab=history')
  await walkTabs(page, look)
  for (const address of [
    `/payment/success?TransID=${encodeURIComponent(marked('id'))}`,
    '/payment/cancel?error=<script>stolen=1</script>',
    `/?emailVerified=error&message=${encodeURIComponent(marked('message'))}`,
    `/?tab=${encodeURIComponent(marked('tab'))}`,
    `/${encodeURIComponent(marked('nowhere'))}`,
    '/privacy',
  ]) {
    await page.goto(address)
    await settled(page)
    await look(address)
  }
  expect(found).toEqual([])
  await close()
})

test('a teacher’s screens show every text as text', async () => {
  const username = 'marked.teacher'
  const teacher = await marks.school.parent(username, { name: marked('master') })
  await teacher.call(convertToTeacher)
  const { page, found, look, close } = await open(username, 'parent-password')
  await walkTabs(page, look)
  expect(found).toEqual([])
  await close()
})

test('every section of the console shows every text as text', async () => {
  const { page, found, look, close } = await open('superadmin', superadminPassword)
  for (const section of featureNames) {
    await page.goto(`/?section=${section}`)
    await settled(page)
    await unfold(page)
    await look(section)
    await fillAll(page)
    await gone(page.locator('main output'))
    await look(`${section}, filled`)
  }
  for (const tab of ['order-settings', 'payment-settings', 'communication', 'security']) {
    await page.goto(`/settings?tab=${tab}`)
    await shown(page.getByRole('button', { name: /^Save/ }))
    await look(tab)
  }
  await page.goto('/receipts/2026-000001')
  await shown(page.getByRole('article'))
  await look('a receipt')
  await page.goto(`/menu/edit/${marks.item.id}`)
  await shown(page.getByRole('button', { name: /^Update/ }))
  await look('edit a dish')
  await page.goto(`/families/${marks.userId}`)
  await shown(page.getByRole('list', { name: 'What is the matter' }))
  await unfold(page)
  await look('a family')
  await page.getByRole('button', { name: 'Find' }).click()
  await page.getByLabel('What to look for').fill('stolen')
  await shown(page.getByRole('region', { name: 'Families' }))
  await look('the search')
  expect(found).toEqual([])
  await close()
})

test('the hatch shows every text as text', async () => {
  marks.school.setClock('2026-09-14T11:00:00+02:00')
  const { page, found, look, close } = await open('superadmin', superadminPassword)
  await page.goto('/serve')
  await page.getByRole('button', { name: 'All (1)' }).click()
  await shown(page.getByText(marked('spilt')))
  await unfold(page)
  await look('the hatch')
  await page.getByLabel('Find a child').fill(marked('typed'))
  await look('the hatch, searched')
  expect(found).toEqual([])
  await close()
})

test('the mails, as they are read, are text', async () => {
  const mails = await eventually(async () => {
    const written = await listMails(marks.school.dataDir)
    return written.length > 1 && written
  })
  const { page, found, look, close } = await open(markedUser.username, markedUser.password)
  for (const path of ['/dev/mail', ...mails.map(({ name }) => `/dev/mail/${name}`)]) {
    await page.goto(path)
    await look(path)
  }
  expect(found).toEqual([])
  expect(seen.join('\n')).toContain(marked('message to the school'))
  await close()
})

test('each of the texts was seen on some screen, as it was written', () => {
  const all = seen.join('\n')
  expect(shownLabels.filter((label) => !all.includes(marked(label)))).toEqual([])
})

// What these hold is shown to nobody: secrets, ids that are looked up, an address to go back to or of a picture, a day, what a form
// was filled from. A class and a number of the books' accounts have too few characters for it.
const neverShown =
  'token invite version by at imageUrl class classes username password currentPassword newPassword confirmPassword identifier ids orderId orderIds transactionId redirectURL backURL startDate date status currency customerEmail customerPhone customerLastName paymentMethod transactionRef week codes taxCode'

test('every field of every form in which any text may stand was tried', () => {
  const free = marks.school.routes.flatMap((route) =>
    route.kind === 'json' ? freeTextIn(route.endpoint.body) : [],
  )
  const tried = new Set([...markedFields, ...neverShown.split(' ')])
  expect([...new Set(free)].filter((name) => !tried.has(name))).toEqual([])
  expect(new Set(free).size).toBeGreaterThan(25)
})
