import type { UserMessages } from '#contracts/messages'
import { escapeHtml, withLinks } from '#kernel/html-text'
import type { UserMessage } from '#kernel/meal-line'

export type Addressee = {
  id: number
  name: string
  username: string
  role: 'parent' | 'teacher' | 'admin'
  email: string | null
  emailVerifiedAt: Date | null
  phone: string | null
  phoneVerifiedAt: Date | null
  messageChannel: UserMessages['channel']
  deletedAt: Date | null
}

export type Mail = {
  to: string
  subject: string
  text: string
  short?: string
  replyTo?: string
}

/** An unverified address may be a stranger's: no typed text, own names or usernames. */
export type Recipient = Pick<Addressee, 'name' | 'username' | 'emailVerifiedAt'>

export const isProven = ({ emailVerifiedAt }: Pick<Recipient, 'emailVerifiedAt'>) => emailVerifiedAt !== null

export const salutation = (recipient: Recipient) =>
  isProven(recipient) ? `Dear ${recipient.name},` : 'Good day,'

export const letter = (greeting: string, paragraphs: string[], schoolName: string) =>
  [greeting, ...paragraphs, `Kind regards,\n${schoolName}`].join('\n\n') + '\n'

/** The words of a mail's text under the school's name; lines that begin with "- " are a list. */
export const htmlOf = (text: string, schoolName: string): string => {
  const parts = text
    .trim()
    .split(/\n{2,}/)
    .map(partOf)
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"></head>
<body style="margin:0;background:#f4f6f3;color:#1c2620;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:600px;margin:0 auto;background:#fff">
<div style="padding:16px 24px;background:#1f5035;color:#fff;font-size:20px;font-weight:600">${escapeHtml(schoolName)}</div>
<div style="padding:8px 24px 16px;overflow-wrap:anywhere">
${parts.join('\n')}
</div></div></body></html>
`
}

const partOf = (paragraph: string): string => {
  const parts = paragraph.split(/((?:^|(?<=\n))- .*(?:\n- .*)*)/).filter((part) => part.trim() !== '')
  return parts
    .map((part, index) =>
      part.startsWith('- ') ? listOf(part) : wordsOf(part.trim(), index < parts.length - 1),
    )
    .join('\n')
}

const listOf = (lines: string): string =>
  `<ul style="margin:4px 0 16px;padding-left:20px">${lines
    .split('\n')
    .map((line) => `<li>${linked(line.slice(2))}</li>`)
    .join('')}</ul>`

/** Before a list: the name of a child, or words with a colon. */
const wordsOf = (lines: string, isBeforeList: boolean): string =>
  isBeforeList && !/:$|\n/.test(lines)
    ? `<h2 style="margin:16px 0 4px;font-size:18px">${escapeHtml(lines)}</h2>`
    : `<p>${lines.split('\n').map(linked).join('<br>')}</p>`

const linked = (line: string): string => withLinks(line, ' style="color:#286441"')

type LetterNeeds = {
  publicUrl: string
  schoolName: string
  addressees: { confirmLink: (userId: number, email: string) => string }
}

export const messageMail = (
  { publicUrl, schoolName, addressees }: LetterNeeds,
  recipient: Addressee,
  { subject, bareSubject = subject, text, bareText, short = `${bareSubject}.` }: UserMessage,
): Mail => {
  const to = recipient.email!
  const isOwn = isProven(recipient)
  const paragraphs = isOwn
    ? [text]
    : [bareText, `Confirm this address: ${addressees.confirmLink(recipient.id, to)}`]
  return {
    to,
    subject: isOwn ? subject : bareSubject,
    short,
    text: letter(salutation(recipient), [...paragraphs, `Log in at ${publicUrl}`], schoolName),
  }
}

/** For superadmins, one for each of these settings that changed; the values stand in the history. */
export const changedLetters =
  <Of>(words: { [Field in keyof Of]?: string }) =>
  ({ changed, user }: { changed: readonly (keyof Of)[]; user: { username: string } }): UserMessage[] =>
    changed.flatMap((field) => {
      const what = words[field]
      return what === undefined ? [] : [settingsChangedLetter(what, user.username)]
    })

export const settingsChangedLetter = (what: string, username: string): UserMessage => {
  const wordsOf = (who: string) =>
    `${what} changed by ${who}. Please look under Settings whether that is right; the history says what it was before.`
  return {
    subject: `${what} changed`,
    text: wordsOf(username),
    bareText: wordsOf('an administrator'),
  }
}

export const contactMail = (about: {
  to: string
  username: string
  from: { name: string; email: string; message: string }
  schoolName: string
}): Mail => ({
  to: about.to,
  replyTo: about.from.email,
  subject: `Message from ${about.from.name.replace(/\s+/g, ' ')} to ${about.schoolName}`,
  text: `${about.from.name} (username ${about.username}, ${about.from.email}) wrote:\n\n${about.from.message}\n`,
})

export const smsCharacters = 160

const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
const extended = '^{}\\[~]|€'
const known = new Set(basic + extended)
const isDouble = new Set(extended)

const plain: Record<string, string> = {
  '‘': "'",
  '’': "'",
  '“': '"',
  '”': '"',
  '–': '-',
  '—': '-',
  '…': '...',
}

const inGsm = (text: string): string =>
  [...text]
    .map((sign) => {
      if (known.has(sign)) return sign
      const bare = plain[sign] ?? sign.normalize('NFKD').replaceAll(/\p{M}/gu, '')
      return bare !== '' && [...bare].every((one) => known.has(one)) ? bare : '?'
    })
    .join('')

export const smsLength = (text: string): number =>
  [...text].reduce((sum, sign) => sum + (isDouble.has(sign) ? 2 : 1), 0)

/** Shortens the school's name, then words; links, amounts, numbers, codes and references stay whole even if it gets longer than one SMS. */
export const smsText = (about: { schoolName: string; short: string; publicUrl: string }): string => {
  const said = (name: string) => `${name}: ${about.short}`
  const withLink = inGsm(`${said(about.schoolName)} ${about.publicUrl}`)
  return isOneSms(withLink) ? withLink : oneSms(said, about.schoolName)
}

export const oneSms = (write: (name: string) => string, name: string): string => {
  const whole = shorterWords(inGsm(write(name)), maxNameLength)
  if (isOneSms(whole)) return whole
  const known = inGsm(name)
  const room = smsLength(known) - (smsLength(whole) - smsCharacters)
  return fewerWords(inGsm(write(inMiddle(known, Math.max(minNameLength, room)))))
}

const isOneSms = (text: string) => smsLength(text) <= smsCharacters

const ellipsis = '...'
const minNameLength = 9
const maxNameLength = 60

const inMiddle = (text: string, room: number): string => {
  const signs = [...text]
  if (smsLength(text) <= room) return text
  for (let kept = signs.length - 1; kept > 0; kept -= 1) {
    const end = Math.floor(kept / 2)
    const shorter = `${signs.slice(0, kept - end).join('')}${ellipsis}${end === 0 ? '' : signs.slice(-end).join('')}`
    if (smsLength(shorter) <= room) return shorter
  }
  return ellipsis
}

/** Half a link, amount or number is useless. */
const mustStayWhole = (word: string) => /\d|:\/\//.test(word)

const shorterWords = (text: string, most: number): string => {
  const words = text.split(' ')
  for (const [index, word] of words.entries()) {
    const over = smsLength(words.join(' ')) - smsCharacters
    if (over > 0 && !mustStayWhole(word) && smsLength(word) > most)
      words[index] = inMiddle(word, Math.max(minNameLength, smsLength(word) - over))
  }
  return words.join(' ')
}

const fewerWords = (text: string): string => {
  const words = shorterWords(text, 2 * minNameLength).split(' ')
  for (let last = words.length - 1; last > 0 && !isOneSms(words.join(' ')); last -= 1) {
    const next = words[last + 1]
    if (mustStayWhole(words[last]!) || (next !== undefined && mustStayWhole(next))) continue
    words.splice(last, 1, ...(next === ellipsis ? [] : [ellipsis]))
  }
  return words.join(' ')
}
