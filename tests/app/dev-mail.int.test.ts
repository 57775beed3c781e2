import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listMails, openMailer } from '../../src/adapters/mail'
import { v7 } from 'uuid'
import { openSms } from '../../src/adapters/sms'
import { devMailRoutes } from '../../src/app/service/web'
import { serveModule, type ModuleServer } from '../support/module-server'

let dataDir: string
let server: ModuleServer
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tuckshop dev mail '))
  server = await serveModule({ routes: devMailRoutes(dataDir), refusals: {} })
})
afterAll(async () => {
  await server.close()
  await rm(dataDir, { recursive: true })
})

const page = async (text: string) => {
  const mailer = openMailer({
    mailFrom: 'lunch@school.example',
    dataDir,
    smtpUrl: undefined,
  })
  const writtenAt = new Date()
  await mailer.send({ id: v7(), writtenAt, to: 'chipo@example.com', subject: 'Lunch', text })
  const [mail] = await listMails(dataDir)
  return server.ask(null, `/dev/mail/${mail!.name}`, {})
}

test('a mail is shown with links that can be followed', async () => {
  const { text } = await page(
    'Log in at https://lunch.example.com/?a=1&b=2, or write "https://x.example/">\nhttp://localhost:3000/settings.',
  )
  const links = [...text.matchAll(/<pre>.*<\/pre>/gs)].flatMap(([pre]) => pre.match(/<a [^>]*>[^<]*<\/a>/g))
  expect(links).toEqual([
    '<a href="https://lunch.example.com/?a=1&#38;b=2">https://lunch.example.com/?a=1&#38;b=2</a>',
    '<a href="https://x.example/">https://x.example/</a>',
    '<a href="http://localhost:3000/settings">http://localhost:3000/settings</a>',
  ])
})

test('an SMS stands among the mails, with the number that it went to', async () => {
  const sms = openSms({ gateway: null, production: false, dataDir })
  const text = 'Baobab School: 1 meal ordered. https://lunch.example.com'
  await sms!.send({ id: v7(), writtenAt: new Date(), to: '+260971234567', text })
  const { text: list } = await server.ask(null, '/dev/mail', {})
  const [, address] = /<li><a href="([^"]+\.sms)">SMS<\/a> to \+260971234567, /.exec(list)!
  const { text: shown } = await server.ask(null, address!, {})
  expect(shown).toContain('to +260971234567')
  expect(shown).toContain('<pre>Baobab School: 1 meal ordered. <a href="https://lunch.example.com">')
})

test('long lines are wrapped, by a style that the page allows and nothing else', async () => {
  const { text, headers } = await page('x'.repeat(500))
  const style = /<style>(.*)<\/style>/.exec(text)![1]!
  expect(style).toContain('white-space:pre-wrap;overflow-wrap:anywhere')
  const hash = createHash('sha256').update(style).digest('base64')
  expect(headers['content-security-policy']).toContain(`default-src 'none'; style-src 'sha256-${hash}'`)
})

test('a mail that is not there is not found', async () => {
  expect(await server.ask(null, '/dev/mail/none.eml', {})).toMatchObject({
    status: 404,
    text: expect.stringContaining('There is no such mail'),
  })
})
