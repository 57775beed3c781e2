const zambia = '260'

/**
 * A phone number as people write it, in the international form that a gateway takes: `0971 234 567` is `+260971234567`.
 * Null for what is no number.
 */
export const internationalPhone = (written: string): string | null => {
  const trimmed = written.trim()
  if (!/^[+\d][\d\s().-]*$/.test(trimmed)) return null
  const digits = trimmed.replaceAll(/\D/g, '')
  const number = trimmed.startsWith('+') ? digits : withCountry(digits)
  return number.length >= 8 && number.length <= 15 && !number.startsWith('0') ? `+${number}` : null
}

const withCountry = (digits: string): string => {
  if (digits.startsWith('00')) return digits.slice(2)
  if (digits.length === 10 && digits.startsWith('0')) return zambia + digits.slice(1)
  if (digits.length === 9 && !digits.startsWith('0')) return zambia + digits
  return digits
}
