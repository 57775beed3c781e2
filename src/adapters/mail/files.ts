import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import PostalMime, { type Address } from 'postal-mime'
import { mailFolder } from './mailer'

export type WrittenMail = {
  name: string
  from: string
  to: string
  subject: string
  date: string
  text: string
  source: string
}

const namePattern = /^[0-9A-Z]+-[0-9a-f-]{36}\.(?:eml|sms)$/
const largestMail = 1024 * 1024

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
  if (source === null || source.length > largestMail) return null
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
