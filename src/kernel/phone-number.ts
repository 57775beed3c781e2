const zambia = '260'
const subscriberDigits = 9

/** Without invisible characters; digits, hyphens and blanks normalized. */
export const normalizedPhone = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/[\p{Cf}\p{Cc}]+/gu, (signs) => (/\s/.test(signs) ? ' ' : ''))
    .replaceAll(/\p{Pd}|\u2212/gu, '-')
    .replaceAll(/[·•‧∙]/g, '.')
    .replaceAll('_', ' ')
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
    .replaceAll(/\s+/g, ' ')
    .trim()

/** International form for a gateway: `0971 234 567`, `+260 (0)97 123 4567` and `971234567.0` become `+260971234567`. Null for no number. */
export const internationalPhone = (written: string): string | null => {
  const text = normalizedPhone(written)
    .replace(/^tel: ?/i, '')
    .replace(/^(\+?\d+)\.0+$/, '$1')
  if (text.length > 40 || !/^\(?\+?[ (]*\d[\d ()./-]*$/.test(text)) return null
  const isAbroad = /^\(?\+/.test(text)
  const digits = text.replaceAll(/\D/g, '')
  const number = withoutTrunkZero(isAbroad ? digits.replace(/^00/, '') : withCountry(digits))
  if (number.startsWith(zambia) && number.length !== zambia.length + subscriberDigits) return null
  return number.length >= 8 && number.length <= 15 && !number.startsWith('0') ? `+${number}` : null
}

/** A Zambian mobile number as `+260977123456`, from whatever `internationalPhone` reads; null for any other. */
export const mobileNumber = (written: string): string | null => {
  const number = internationalPhone(written)
  return number !== null && /^\+260[579]\d{8}$/.test(number) ? number : null
}

/** `+260 97• ••• 456` of `0977123456`: enough for its owner. The end alone of a number abroad; null for none. */
export const maskedPhone = (written: string): string | null => {
  const number = internationalPhone(written)
  if (number === null) return null
  const beginning = number.startsWith(`+${zambia}`) ? `+${zambia} ${number.slice(4, 6)}•` : '•••'
  return `${beginning} ••• ${number.slice(-3)}`
}

/** Of `phones` that may have paid one that is not the `account`'s, where nobody tells which it was. Null in place of an unknown one. */
export const paidFrom = (
  phones: readonly (string | null)[],
  account: string | null,
): { phone: string; own: boolean } | null => {
  const own = internationalPhone(account ?? '')
  const numbers = phones.map((phone) => internationalPhone(phone ?? ''))
  const other = numbers.find((number) => number !== null && number !== own)
  const number = other ?? (numbers.includes(null) ? null : numbers[0])
  const phone = number ? maskedPhone(number) : null
  return phone === null ? null : { phone, own: number === own }
}

const withCountry = (digits: string): string => {
  if (digits.startsWith('00') && digits.length > 10) return digits.slice(2)
  if (digits.length === subscriberDigits + 1 && digits.startsWith('0')) return zambia + digits.slice(1)
  if (digits.length === subscriberDigits && !digits.startsWith('0')) return zambia + digits
  return digits
}

const withoutTrunkZero = (number: string): string =>
  number.startsWith(`${zambia}0`) && number.length === zambia.length + subscriberDigits + 1
    ? zambia + number.slice(zambia.length + 1)
    : number

/** Last digits of a searched number, without country code and leading zero; null below 5 digits. */
export const phoneEnding = (typed: string): string | null => {
  const text = normalizedPhone(typed)
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
