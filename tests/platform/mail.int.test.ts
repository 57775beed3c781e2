import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { v7 } from 'uuid'
import type { Mail } from '#platform/ports'
import { openMailer, listMails, readMail } from '../../src/adapters/mail'

let dataDir: string
let at: Date
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'tuckshop mail '))
  at = new Date('2026-09-16T07:00:00Z')
})
afterEach(() => rm(dataDir, { recursive: true }))

const mailer = (more: { smtpUrl?: string; timeoutMs?: number; limitMs?: number } = {}) =>
  openMailer({ mailFrom: 'Tuckshop <lunch@school.example>', dataDir, ...more })

const id = '0199c0de-0000-7000-8000-0000000000a1'
/** A mail to Chipo, written now. */
const lunch = (more: Partial<Mail> = {}): Mail => ({
  id,
  writtenAt: at,
  to: 'chipo@example.com',
  subject: 'Lunch',
  text: '.',
  ...more,
})

const subjects = async (limit: number) => (await listMails(dataDir, limit)).map(({ subject }) => subject)

describe('mail without a server', () => {
  test('becomes a file that can be listed and read', async () => {
    const long = `https://school.example/verify/${'x'.repeat(200)}`
    const written = lunch({
      subject: 'Grüße aus der Küche — your lunches of this week are on their way to the kitchen',
      text: `Lunch costs K 25 = dear\n${long}\nZikomo, André`,
      html: '<p>Lunch</p>',
    })
    await mailer().send(written)
    const [mail, ...others] = await listMails(dataDir)
    expect(others).toEqual([])
    expect(mail).toEqual({
      name: `20260916T070000000Z-${id}.eml`,
      from: 'Tuckshop <lunch@school.example>',
      to: 'chipo@example.com',
      subject: 'Grüße aus der Küche — your lunches of this week are on their way to the kitchen',
      date: 'Wed, 16 Sep 2026 07:00:00 +0000',
      text: `Lunch costs K 25 = dear\n${long}\nZikomo, André`,
      html: '<p>Lunch</p>',
      source: expect.stringContaining('MIME-Version: 1.0'),
    })
    expect(await readMail(dataDir, mail!.name)).toEqual(mail)
  })

  test('without letters of other alphabets and without HTML reads as it was written', async () => {
    await mailer().send(lunch({ text: 'Nshima and beans', from: 'k@x.example' }))
    const [mail] = await listMails(dataDir)
    expect(mail).toMatchObject({ from: 'k@x.example', subject: 'Lunch' })
    expect((await readMail(dataDir, mail!.name))?.text).toBe('Nshima and beans')
  })

  test('is listed newest first, and no more than asked for', async () => {
    const writing = mailer()
    for (const subject of ['first', 'second', 'third']) {
      await writing.send(lunch({ id: v7(), subject }))
      if (subject === 'second') at = new Date('2026-09-16T07:00:01Z')
    }
    expect(await subjects(5)).toEqual(['third', 'second', 'first'])
    expect(await subjects(2)).toEqual(['third', 'second'])
  })

  test('that is sent twice is one file', async () => {
    await mailer().send(lunch())
    await mailer().send(lunch())
    expect(await subjects(5)).toEqual(['Lunch'])
  })

  test('goes to one address even when the address holds a comma', async () => {
    await mailer().send(lunch({ to: 'a@x.example, b@x.example' }))
    const [mail] = await listMails(dataDir)
    expect((await readMail(dataDir, mail!.name))?.source).not.toMatch(/^To: a@x\.example, b@x\.example$/m)
  })

  test('leaves no half-written file behind', async () => {
    await mailer().send(lunch())
    expect(await readdir(join(dataDir, 'mail'))).toHaveLength(1)
  })

  test('can be read by nobody but its owner', async () => {
    await mailer().send(lunch())
    const [name] = await readdir(join(dataDir, 'mail'))
    expect((await stat(join(dataDir, 'mail', name!))).mode & 0o777).toBe(0o600)
  })

  test('says that a program wrote it', async () => {
    await mailer().send(lunch())
    const [mail] = await listMails(dataDir)
    expect(mail!.source).toMatch(/^Auto-Submitted: auto-generated$/m)
  })

  test('is an empty list before the first one', async () => {
    expect(await listMails(dataDir)).toEqual([])
  })

  test('no other file can be read by its name', async () => {
    await writeFile(join(dataDir, 'secret.eml'), 'secret')
    expect(await readMail(dataDir, '../secret.eml')).toBeNull()
    expect(await readMail(dataDir, '20260916T070000000Z-0199c0de-0000-7000-8000-0000000000a9.eml')).toBeNull()
  })
})

/** As much of SMTP as one message needs. */
const answering = (said: string[], refuse: string) => (socket: Socket) => {
  let inData = false
  socket.write('220 here\r\n')
  socket.setEncoding('utf8').on('data', (text: string) => {
    said.push(text)
    if (inData && !text.endsWith('\r\n.\r\n')) return
    const answer = inData ? '250 taken' : text.startsWith('DATA') ? '354 go on' : '250 yes'
    inData = text.startsWith('DATA')
    socket.write(`${text.startsWith(refuse) ? '451 try later' : answer}\r\n`)
  })
}

/** One that never comes to the end of its greeting. */
const talking = (socket: Socket) => {
  const says = setInterval(() => socket.write('220-wait\r\n'), 20)
  socket.once('close', () => clearInterval(says))
}

describe('mail with a server', () => {
  let server: Server
  const sockets: Socket[] = []
  const listen = (greet: (socket: Socket) => void) =>
    new Promise<string>((resolve) => {
      server = createServer((socket) => {
        sockets.push(socket)
        greet(socket)
      }).listen(0, '127.0.0.1', () => resolve(`smtp://127.0.0.1:${(server.address() as AddressInfo).port}`))
    })
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })

  test('is handed to it', async () => {
    const said: string[] = []
    const sending = mailer({ smtpUrl: await listen(answering(said, 'NOTHING')) })
    await sending.send(lunch({ text: 'Nshima', replyTo: 'p@x.example' }))
    sending.close()
    const all = said.join('')
    expect(all).toContain('MAIL FROM:<lunch@school.example>')
    expect(all).toContain('RCPT TO:<chipo@example.com>')
    expect(all).toMatch(/^Reply-To: p@x\.example\r$/m)
    expect(all).toMatch(/^Auto-Submitted: auto-generated\r$/m)
    // Sent again after a crash it is known by its id.
    expect(all).toMatch(new RegExp(`^Message-ID: <${id}@school\\.example>\r$`, 'm'))
    expect(all).toMatch(/\r\n\r\nNshima\r\n/)
    expect(await listMails(dataDir)).toEqual([])
  })

  test('is a failure when the server does not take it', async () => {
    const sending = mailer({ smtpUrl: await listen(answering([], 'RCPT')) })
    await expect(sending.send(lunch())).rejects.toThrow('try later')
    sending.close()
  })

  test('is a failure when the server says nothing for too long', async () => {
    const sending = mailer({ smtpUrl: await listen(() => undefined), timeoutMs: 100 })
    await expect(sending.send(lunch())).rejects.toThrow('Greeting never received')
    sending.close()
  })

  test('is a failure when a server that goes on talking never takes it', async () => {
    const sending = mailer({ smtpUrl: await listen(talking), timeoutMs: 5_000, limitMs: 300 })
    await expect(sending.send(lunch())).rejects.toThrow('The mail server is too slow')
    sending.close()
  })
})
