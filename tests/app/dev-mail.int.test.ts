import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { v7 } from 'uuid'
import type { Mail } from '#platform/ports'
import { listMails, openMailer } from '../../src/adapters/mail'
import { openSms } from '../../src/adapters/sms'
import { devMailRoutes } from '../../src/app/service/dev-mail'
import { type ModuleServer, serveModule } from '../support/module-server'

let folder: string
let server: ModuleServer
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tuckshop dev mail '))
  const sheet = '<link rel="stylesheet" crossorigin href="/assets/index-DUo21DVz.css">'
  await writeFile(join(folder, 'index.html'), `<!doctype html><head>\n    ${sheet}\n  </head>`)
  const needs = { dataDir: folder, schoolName: "St Mary's <Lusaka>", zone: 'Africa/Lusaka', webRoot: folder }
  server = await serveModule({ routes: devMailRoutes(needs), refusals: {} })
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

const writtenAt = new Date('2026-09-16T07:05:00Z')
const page = (address: string) => server.ask(null, address, {})

/** The address of a mail that is the newest. */
const send = async (mail: Partial<Mail>): Promise<string> => {
  const mailer = openMailer({ mailFrom: 'lunch@school.example', dataDir: folder, smtpUrl: undefined })
  const lunch = { to: 'chipo@example.com', subject: 'Lunch', text: '.' }
  await mailer.send({ id: v7(), writtenAt, ...lunch, ...mail })
  const [{ name } = { name: '' }] = await listMails(folder)
  return `/dev/mail/${name}`
}

test('a mail is shown with links that can be followed', async () => {
  const words = 'Log in at https://lunch.example.com/?a=1&b=2, or write "https://x.example/">\n'
  const { text } = await page(await send({ text: `${words}http://localhost:3000/settings.` }))
  const links = [...text.matchAll(/<pre .*<\/pre>/gs)].flatMap(([pre]) => pre.match(/<a [^>]*>[^<]*<\/a>/g))
  expect(links).toEqual([
    '<a href="https://lunch.example.com/?a=1&#38;b=2">https://lunch.example.com/?a=1&#38;b=2</a>',
    '<a href="https://x.example/">https://x.example/</a>',
    '<a href="http://localhost:3000/settings">http://localhost:3000/settings</a>',
  ])
})

test('an SMS stands among the mails, with the number that it went to', async () => {
  const sms = openSms({ gateway: null, production: false, dataDir: folder })
  const text = 'Baobab School: 1 meal ordered. https://lunch.example.com'
  await sms!.send({ id: v7(), writtenAt, to: '+260971234567', text })
  const { text: list } = await page('/dev/mail')
  const [, address] = /<li><a href="([^"]+\.sms)">SMS<\/a><p>To \+260971234567<br>/.exec(list)!
  const { text: shown } = await page(address!)
  expect(shown).toContain('<dd>+260971234567</dd>')
  expect(shown).toContain('>Baobab School: 1 meal ordered. <a href="https://lunch.example.com">')
  expect(shown).not.toContain('<iframe')
})

test("times are those of the school's clock, in the list and on the mail", async () => {
  const address = await send({})
  expect((await page('/dev/mail')).text).toContain('09:05 on Wednesday, 16 September 2026</p>')
  expect((await page(address)).text).toContain('<dd>09:05 on Wednesday, 16 September 2026</dd>')
})

test("a page has the product's stylesheet, and its policy allows that and one style", async () => {
  const { text, headers } = await page(await send({ text: 'x'.repeat(500) }))
  expect(text).toContain('<link rel="stylesheet" crossorigin href="/assets/index-DUo21DVz.css">')
  const style = /<style>(.*)<\/style>/s.exec(text)![1]!
  expect(style).toContain('white-space:pre-wrap;overflow-wrap:anywhere')
  const hash = createHash('sha256').update(style).digest('base64')
  const policy = headers['content-security-policy']
  expect(policy).toContain(`default-src 'none'; style-src 'self' 'sha256-${hash}';`)
  expect(policy).not.toContain('unsafe')
})

test('what people typed is text: names, subjects, words and the name of the school', async () => {
  const typed = '<img src=x onerror=alert(1)>'
  const mail = { to: `"${typed}" <chipo@example.com>`, subject: typed, text: typed, replyTo: 'a@x.example' }
  const address = await send(mail)
  for (const at of ['/dev/mail', address]) {
    const { text } = await page(at)
    expect(text).not.toContain('<img src=x')
    expect(text).toContain('&#60;img src=x onerror=alert(1)&#62;')
    expect(text).toContain('St Mary&#39;s &#60;Lusaka&#62;')
  }
})

test('the HTML of a mail is framed without scripts, and its links open a page of their own', async () => {
  const html = '<!doctype html><html lang="en"><body><p>Dear Chipo</p></body></html>'
  const address = await send({ html })
  const { text } = await page(address)
  const may = 'sandbox="allow-popups allow-popups-to-escape-sandbox"'
  expect(text).toContain(`${may} src="${address}/html">`)
  const framed = await page(`${address}/html`)
  expect(framed.text).toBe(html.replace('<body>', '<base target="_blank"><body>'))
  expect(framed.headers['content-security-policy']).toBe(
    "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  )
  expect(framed.headers['x-frame-options']).toBe('SAMEORIGIN')
})

test('a mail that is not there is not found, nor the HTML of one that has none', async () => {
  const missing = { status: 404, text: expect.stringContaining('There is no such mail') }
  expect(await page('/dev/mail/none.eml')).toMatchObject(missing)
  expect(await page(`${await send({})}/html`)).toMatchObject({ status: 404 })
})
