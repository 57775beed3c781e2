import { rename, writeFile, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { makeFolder } from '#platform/folder'
import type { Mail, Mailer } from '#platform/mail'
import { within } from '#platform/within'
import PostalMime, { type Address } from 'postal-mime'

type Options = {
  /** `smtp://…` or `smtps://…`; without it mail becomes files. */
  smtpUrl?: string | undefined
  /** Sender of mails that name none, e.g. `Tuckshop <lunch@school.example>`. */
  mailFrom: string
  dataDir: string
  /** How long each step of talking to the server may take, and all of them together. */
  timeoutMs?: number
  limitMs?: number
}

/** Mail to the SMTP server, or to `<dataDir>/mail/*.eml` (only its owner may read them) where there is none. `close` ends idle connections. */
export const openMailer = (options: Options): Mailer & { close: () => void } =>
  options.smtpUrl === undefined ? toFiles(options) : toServer(options.smtpUrl, options)

export const mailFolder = (dataDir: string): string => join(dataDir, 'mail')

const message = ({ id, writtenAt, from, ...mail }: Mail, { mailFrom }: Options) => ({
  ...mail,
  // A mailbox that knows this one already does not show it again.
  messageId: `<${id}@${domainOf(from ?? mailFrom)}>`,
  from: from ?? mailFrom,
  // One address, whatever it says: a comma in it does not make two.
  to: { name: '', address: mail.to },
  date: writtenAt,
  // Out-of-office answers do not answer a mail that says so (RFC 3834).
  headers: { 'Auto-Submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
})

const toServer = (url: string, options: Options) => {
  const { timeoutMs = 10_000, limitMs = 60_000 } = options
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 2,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    socketTimeout: 2 * timeoutMs,
  })
  return {
    send: async (mail: Mail) => {
      await within(limitMs, transport.sendMail(message(mail, options)), () =>
        Object.assign(new Error('The mail server is too slow'), { code: 'ETIMEDOUT' }),
      )
    },
    close: () => transport.close(),
  }
}

const toFiles = (options: Options) => {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
  const folder = mailFolder(options.dataDir)
  const send = async (mail: Mail) => {
    const written = await transport.sendMail(message(mail, options))
    await makeFolder(folder)
    // Sorts by time. The same message again replaces its file.
    const name = `${mail.writtenAt.toISOString().replaceAll(/[-:.]/g, '')}-${mail.id}.eml`
    const unfinished = join(folder, `${name}.part`)
    // A mail can hold a temporary password.
    await writeFile(unfinished, written.message as Buffer, { mode: 0o600 })
    await rename(unfinished, join(folder, name))
  }
  return { send, close: () => undefined }
}

/** Of `Name <local@domain>` or `local@domain`. */
const domainOf = (address: string): string => /@([^@>\s]+)>?$/.exec(address)?.[1] ?? 'localhost'

type WrittenMail = {
  name: string
  from: string
  to: string
  subject: string
  date: string
  text: string
  source: string
}

const namePattern = /^[0-9A-Z]+-[0-9a-f-]{36}\.(?:eml|sms)$/
const maxMail = 1024 * 1024

/** The mails and SMS written to files, newest first, at most `limit`; for people who look at `/dev/mail`. */
export const listMails = async (dataDir: string, limit = 100): Promise<WrittenMail[]> => {
  const names = await readdir(mailFolder(dataDir)).catch(() => [])
  const newest = names
    .filter((name) => namePattern.test(name))
    .toSorted()
    .toReversed()
    .slice(0, limit)
  const mails = await Promise.all(newest.map((name) => readMail(dataDir, name)))
  return mails.filter((mail) => mail !== null)
}

/** One of them; null when there is no such file. */
export const readMail = async (dataDir: string, name: string): Promise<WrittenMail | null> => {
  if (!namePattern.test(name)) return null
  const source = await readFile(join(mailFolder(dataDir), name), 'utf8').catch(() => null)
  if (source === null || source.length > maxMail) return null
  const { from, to = [], subject = '', text = '', headers } = await PostalMime.parse(source)
  return {
    name,
    from: from ? shown(from) : '',
    to: to.map(shown).join(', '),
    subject,
    date: headers.find(({ key }) => key === 'date')?.value ?? '',
    text: text.trimEnd(),
    source,
  }
}

const shown = ({ name, address = '' }: Address) =>
  name && address ? `${name} <${address}>` : name || address
