const zambia = '260'
const subscriberDigits = 9

/** What somebody typed or pasted, without invisible marks and with plain digits, hyphens and single blanks. */
export const writtenPhone = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/[\p{Cf}\p{Cc}]+/gu, (signs) => (/\s/.test(signs) ? ' ' : ''))
    .replaceAll(/\p{Pd}|\u2212/gu, '-')
    .replaceAll(/[·•‧∙]/g, '.')
    .replaceAll('_', ' ')
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replaceAll(/\s+/g, ' ')
    .trim()

/**
 * A phone number as people write it, in the international form that a gateway takes: `0971 234 567`, `+260 (0)97 123 4567`,
 * `00260.971.234.567` and `971234567.0` of a spreadsheet are `+260971234567`. Null for what is no number.
 */
export const internationalPhone = (written: string): string | null => {
  const text = writtenPhone(written)
    .replace(/^tel: ?/i, '')
    .replace(/^(\+?\d+)\.0+$/, '$1')
  if (text.length > 40 || !/^\(?\+?[ (]*\d[\d ()./-]*$/.test(text)) return null
  const isAbroad = /^\(?\+/.test(text)
  const digits = text.replaceAll(/\D/g, '')
  const number = withoutTrunkZero(isAbroad ? digits.replace(/^00/, '') : withCountry(digits))
  if (number.startsWith(zambia) && number.length !== zambia.length + subscriberDigits) return null
  return number.length >= 8 && number.length <= 15 && !number.startsWith('0') ? `+${number}` : null
}

const withCountry = (digits: string): string => {
  if (digits.startsWith('00') && digits.length > 10) return digits.slice(2)
  if (digits.length === subscriberDigits + 1 && digits.startsWith('0')) return zambia + digits.slice(1)
  if (digits.length === subscriberDigits && !digits.startsWith('0')) return zambia + digits
  return digits
}

/** `+260 (0)97 …`: the zero of calls within the country. */
const withoutTrunkZero = (number: string): string =>
  number.startsWith(`${zambia}0`) && number.length === zambia.length + subscriberDigits + 1
    ? zambia + number.slice(zambia.length + 1)
    : number

/** The end of a number that somebody searches for: no country code, no leading zero; null for fewer than 5 digits or another text. */
export const phoneEnding = (typed: string): string | null => {
  const text = writtenPhone(typed)
  if (!/^[+\d ()./-]+$/.test(text)) return null
  const whole = internationalPhone(text)
  if (whole?.startsWith(`+${zambia}`)) return whole.slice(-subscriberDigits)
  const digits = text
    .replaceAll(/\D/g, '')
    .replace(/^00/, '')
    .replace(/^260(?=\d{9}|0\d)/, '')
    .replace(/^0+/, '')
  return digits.length < fewestDigits ? null : digits.slice(-subscriberDigits)
}

const fewestDigits = 5
