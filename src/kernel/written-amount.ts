/** Kwacha with two places at most as a file writes them, without signs, currency and blanks: how its separators are read. */
const shapes: readonly [RegExp, (whole: string) => string][] = [
  [/^\d+$/, (whole) => whole],
  // 1,234 and 1,234.50: commas in front of three digits each.
  [/^\d{1,3}(,\d{3})+(\.\d+)?$/, (whole) => whole.replaceAll(',', '')],
  // 1.234,50: points between thousands and a comma before the rest.
  [/^\d{1,3}(\.\d{3})+,\d+$/, (whole) => whole.replaceAll('.', '').replace(',', '.')],
  [/^\d*\.\d+$/, (whole) => whole],
  [/^\d*,\d{1,2}$/, (whole) => whole.replace(',', '.')],
]

const mostDigits = 9

/**
 * Reads an amount as statements write it ("1,234.50", "1.234,50", "ZMW 45", "(45.50)", "45.50 DR") as ngwee; less than nothing
 * where the money went out. Null for what is no amount or could be two: 1.234 is left to a person.
 */
export const ngweeFromText = (text: string): number | null => {
  const plain = text
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[\s'’]/g, '')
    .replace(/^=?"(.*)"$/, '$1')
  const goesOut = /^\(.*\)$|^[A-Z]*[-−–]|[-−–]$|DR$/.test(plain)
  const digits = plain
    .replaceAll(/[()+−–-]/g, '')
    .replace(/(CR|DR)$/, '')
    .replace(/^(ZMW|ZMK|ZK|K)/, '')
    .replace(/(ZMW|ZMK|ZK|K)$/, '')
  const shape = shapes.find(([pattern]) => pattern.test(digits))
  if (!shape) return null
  const [whole = '', decimals = ''] = shape[1](digits).split('.')
  // Three places are a thousand to one and a fraction to another; more are zeros, or no money.
  if (decimals.length === 3 && whole.length <= 3 && !digits.includes(',')) return null
  if (/[1-9]/.test(decimals.slice(2)) || whole.length > mostDigits) return null
  const ngwee = Number(whole || '0') * 100 + Number(decimals.slice(0, 2).padEnd(2, '0'))
  return goesOut ? -ngwee : ngwee
}
