import { open, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mailFolder } from './mailer'

export type WrittenMail = { name: string; from: string; to: string; subject: string; date: string }

const namePattern = /^[0-9A-Z]+-\d+-[0-9a-f]+\.eml$/
const headBytes = 8 * 1024
const largestMail = 1024 * 1024

/** The mails written to files, newest first, at most `limit`; for people who look at `/dev/mail`. */
export const listMails = async (dataDir: string, limit = 100): Promise<WrittenMail[]> => {
  const names = (await readdir(mailFolder(dataDir)).catch(() => [])).filter((name) => namePattern.test(name))
  const newest = names.toSorted().toReversed().slice(0, limit)
  return Promise.all(newest.map(async (name) => ({ name, ...addressed(await head(dataDir, name)) })))
}

/** One of them with its text; null when there is no such file. */
export const readMail = async (
  dataDir: string,
  name: string,
): Promise<(WrittenMail & { text: string; source: string }) | null> => {
  if (!namePattern.test(name)) return null
  const source = await readFile(join(mailFolder(dataDir), name), 'utf8').catch(() => null)
  if (source === null || source.length > largestMail) return null
  return { name, ...addressed(source), text: plainText(source), source }
}

const head = async (dataDir: string, name: string): Promise<string> => {
  const file = await open(join(mailFolder(dataDir), name))
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}

const addressed = (source: string) => {
  const headers = headersOf(source)
  const header = (name: string) => decodeWords(headers.get(name) ?? '')
  return { from: header('from'), to: header('to'), subject: header('subject'), date: header('date') }
}

const split = (source: string): [string, string] => {
  const end = source.indexOf('\n\n')
  return end < 0 ? [source, ''] : [source.slice(0, end), source.slice(end + 2)]
}

const headersOf = (source: string): Map<string, string> => {
  const lines = split(source)[0]
    .replaceAll(/\n[ \t]+/g, ' ')
    .split('\n')
  return new Map(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
}

const plainText = (source: string): string => {
  const type = headersOf(source).get('content-type') ?? ''
  const boundary = /boundary="([^"]+)"/.exec(type)?.[1]
  const body = split(source)[1]
  if (boundary !== undefined) {
    const parts = body.split(`--${boundary}`).slice(1, -1)
    const texts = parts.map((part) => plainText(part.replace(/^\n/, '')))
    return texts[0] ?? ''
  }
  const encoding = headersOf(source).get('content-transfer-encoding')?.toLowerCase()
  const bytes =
    encoding === 'base64'
      ? Buffer.from(body, 'base64')
      : encoding === 'quoted-printable'
        ? quotedPrintable(body.replaceAll('=\n', ''))
        : Buffer.from(body)
  return bytes.toString('utf8').trimEnd()
}

const quotedPrintable = (text: string): Buffer =>
  Buffer.from(
    text.replaceAll(/=([0-9A-Fa-f]{2})/g, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  )

/** Undoes the encoding of words outside ASCII in a header (RFC 2047); a letter never spans two words. */
const decodeWords = (text: string): string =>
  text
    .replaceAll(/(=\?utf-8\?[qb]\?[^?]*\?=)\s+(?==\?utf-8\?)/gi, '$1')
    .replaceAll(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_all, encoding: string, word: string) =>
      (encoding.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64')
        : quotedPrintable(word.replaceAll('_', ' '))
      ).toString('utf8'),
    )
