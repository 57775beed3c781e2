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
 * long is cut, with an ellipsis.
 */
export const smsText = (about: { schoolName: string; short: string; publicUrl: string }): string => {
  const said = inGsm(`${about.schoolName}: ${about.short}`)
  const withLink = `${said} ${inGsm(about.publicUrl)}`
  if (smsLength(withLink) <= smsCharacters) return withLink
  return smsLength(said) <= smsCharacters ? said : cut(said)
}

const ellipsis = '...'

const cut = (text: string): string => {
  let room = smsCharacters - ellipsis.length
  let kept = ''
  for (const sign of text) {
    room -= isDouble.has(sign) ? 2 : 1
    if (room < 0) break
    kept += sign
  }
  return kept.trimEnd() + ellipsis
}
