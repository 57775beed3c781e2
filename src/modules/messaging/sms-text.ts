/** What one SMS holds in the alphabet of the phone networks (GSM 03.38). */
export const smsCharacters = 160

const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
/** Each of these counts twice. */
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

/** The text in that alphabet: without accents it does not have; what is left unknown becomes a question mark. */
const inGsm = (text: string): string =>
  [...text]
    .map((sign) => {
      if (known.has(sign)) return sign
      const bare = plain[sign] ?? sign.normalize('NFKD').replaceAll(/\p{M}/gu, '')
      return bare !== '' && [...bare].every((one) => known.has(one)) ? bare : '?'
    })
    .join('')

/** How much room a text in that alphabet takes. */
export const smsLength = (text: string): number =>
  [...text].reduce((sum, sign) => sum + (isDouble.has(sign) ? 2 : 1), 0)

/**
 * A message as one SMS: the school, what it says, and the address of the portal where there is room for it. What is too
 * long is shortened in the middle of the school's name, then in words; links, amounts, numbers, codes and references
 * stay whole, and a text of which they leave no room is longer than one SMS.
 */
export const smsText = (about: { schoolName: string; short: string; publicUrl: string }): string => {
  const said = (name: string) => `${name}: ${about.short}`
  const withLink = inGsm(`${said(about.schoolName)} ${about.publicUrl}`)
  return isOneSms(withLink) ? withLink : oneSms(said, about.schoolName)
}

/** What `write` makes of a name as one SMS, with as much of the name as there is room for. */
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
/** A username has so many characters at most. */
const maxNameLength = 60

/** The text with its middle left out, so that it takes `room` at most. */
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

/** Whoever gets half of a link, an amount or a number has nothing. */
const mustStayWhole = (word: string) => /\d|:\/\//.test(word)

/** The text with words of more than `most` characters shortened as far as one SMS asks for. */
const shorterWords = (text: string, most: number): string => {
  const words = text.split(' ')
  for (const [index, word] of words.entries()) {
    const over = smsLength(words.join(' ')) - smsCharacters
    if (over > 0 && !mustStayWhole(word) && smsLength(word) > most)
      words[index] = inMiddle(word, Math.max(minNameLength, smsLength(word) - over))
  }
  return words.join(' ')
}

/** Leaves out words from the end; what must stay whole keeps the word that says what it is. */
const fewerWords = (text: string): string => {
  const words = shorterWords(text, 2 * minNameLength).split(' ')
  for (let last = words.length - 1; last > 0 && !isOneSms(words.join(' ')); last -= 1) {
    const next = words[last + 1]
    if (mustStayWhole(words[last]!) || (next !== undefined && mustStayWhole(next))) continue
    words.splice(last, 1, ...(next === ellipsis ? [] : [ellipsis]))
  }
  return words.join(' ')
}
