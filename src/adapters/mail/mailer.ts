import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { makeFolder } from '#platform/folder'
import type { Mail, Mailer } from '#platform/mail'

type Options = {
  /** `smtp://…` or `smtps://…`; without it mail becomes files. */
  smtpUrl?: string | undefined
  /** Sender of mails that name none, e.g. `Tuckshop <lunch@school.example>`. */
  mailFrom: string
  dataDir: string
  /** How long each step of talking to the server may take. */
  timeoutMs?: number
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
  const { timeoutMs = 10_000 } = options
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
    send: async (mail: Mail) => void (await transport.sendMail(message(mail, options))),
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
