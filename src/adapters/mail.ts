import { rename, writeFile, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Transporter } from 'nodemailer'
import PostalMime, { type Address } from 'postal-mime'
import { makeFolder } from '#platform/folder'
import { withTimeout } from '#platform/pacing'
import type { Mail, Mailer } from '#platform/ports'

type Options = {
  smtpUrl?: string | undefined
  mailFrom: string
  dataDir: string
  timeoutMs?: number
  limitMs?: number
}

/** SMTP, or `<dataDir>/mail/*.eml` readable by the owner only. `close` ends idle connections. */
export const openMailer = (options: Options): Mailer & { close: () => void } =>
  options.smtpUrl === undefined ? toFiles(options) : toServer(options.smtpUrl, options)

export const mailFolder = (dataDir: string): string => join(dataDir, 'mail')

const message = ({ id, writtenAt, from, ...mail }: Mail, { mailFrom }: Options) => ({
  ...mail,
  // Mailboxes recognise a repeated message.
  messageId: `<${id}@${domainOf(from ?? mailFrom)}>`,
  from: from ?? mailFrom,
  to: { name: '', address: mail.to },
  date: writtenAt,
  // Keeps out-of-office replies away (RFC 3834).
  headers: { 'Auto-Submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
})

const toServer = (url: string, options: Options) => {
  const { timeoutMs = 10_000, limitMs = 60_000 } = options
  let transport: Transporter | undefined
  // Loaded with the first mail.
  const opened = async () => {
    const { createTransport } = await import('nodemailer')
    return (transport ??= createTransport({
      url,
      pool: true,
      maxConnections: 2,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      dnsTimeout: timeoutMs,
      socketTimeout: 2 * timeoutMs,
    }))
  }
  return {
    send: async (mail: Mail) => {
      const sent = (await opened()).sendMail(message(mail, options))
      await withTimeout(limitMs, sent, () =>
        Object.assign(new Error('The mail server is too slow'), { code: 'ETIMEDOUT' }),
      )
    },
    close: () => transport?.close(),
  }
}

const toFiles = (options: Options) => {
  const folder = mailFolder(options.dataDir)
  const send = async (mail: Mail) => {
    const { createTransport } = await import('nodemailer')
    const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
    const written = await transport.sendMail(message(mail, options))
    await makeFolder(folder)
    // Sorts by time; the same message replaces its file.
    const name = `${mail.writtenAt.toISOString().replaceAll(/[-:.]/g, '')}-${mail.id}.eml`
    const unfinished = join(folder, `${name}.part`)
    // A mail may hold a temporary password.
    await writeFile(unfinished, written.message as Buffer, { mode: 0o600 })
    await rename(unfinished, join(folder, name))
  }
  return { send, close: () => undefined }
}

const domainOf = (address: string): string => /@([^@>\s]+)>?$/.exec(address)?.[1] ?? 'localhost'

type WrittenMail = {
  name: string
  from: string
  to: string
  subject: string
  date: string
  text: string
  html: string | null
  source: string
}

const namePattern = /^[0-9A-Z]+-[0-9a-f-]{36}\.(?:eml|sms)$/
const maxMail = 1024 * 1024

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

export const readMail = async (dataDir: string, name: string): Promise<WrittenMail | null> => {
  if (!namePattern.test(name)) return null
  const source = await readFile(join(mailFolder(dataDir), name), 'utf8').catch(() => null)
  if (source === null || source.length > maxMail) return null
  const { from, to = [], subject = '', text = '', html, headers } = await PostalMime.parse(source)
  return {
    name,
    from: from ? shown(from) : '',
    to: to.map(shown).join(', '),
    subject,
    date: headers.find(({ key }) => key === 'date')?.value ?? '',
    text: text.trimEnd(),
    html: html?.trimEnd() ?? null,
    source,
  }
}

const shown = ({ name, address = '' }: Address) =>
  name && address ? `${name} <${address}>` : name || address
