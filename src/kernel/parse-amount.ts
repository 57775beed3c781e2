const shapes: readonly [RegExp, (whole: string) => string][] = [
  [/^\d+$/, (whole) => whole],
  // 1,234 and 1,234.50.
  [/^[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/, (whole) => whole.replaceAll(',', '')],
  // 1.234,50.
  [/^[1-9]\d{0,2}(\.\d{3})+,\d+$/, (whole) => whole.replaceAll('.', '').replace(',', '.')],
  [
    /^[1-9]\d{0,2}(?:( \d{3})+|('\d{3})+)([.,]\d+)?$/,
    (whole) => whole.replaceAll(/[ ']/g, '').replace(',', '.'),
  ],
  [/^\d*\.\d+$/, (whole) => whole],
  [/^\d+,\d{1,2}$/, (whole) => whole.replace(',', '.')],
]

const maxDigits = 9
const maxAmount = 60

type Told = 'bare' | 'plus' | 'minus' | 'credit' | 'debit'

/** Negative where money went out; `told` says how the text showed it. */
export type ParsedAmount = { ngwee: number; told: Told }

// Currency and direction signs may each stand once, at either end.
const currency = '(?:KWACHA|ZMW|ZMK|ZK|K)'
const ends: readonly [Told | 'currency', RegExp, RegExp][] = [
  ['currency', new RegExp(`^${currency}(?=[^A-Z])`), new RegExp(`(?<=[^A-Z])${currency}$`)],
  ['plus', /^\+/, /\+$/],
  ['minus', /^-/, /-$/],
  ['credit', /^(CREDIT|CR\.?)/, /(CREDIT|CR\.?|C)$/],
  ['debit', /^(DEBIT|DR\.?)/, /(DEBIT|DR\.?|DB|D)$/],
]

/** Reads "1,234.50", "1.234,50", "ZMW 45", "(45.50)", "45.50 DR"; null for what is no amount or ambiguous, as 1.234 and 45k are. */
export const amountFromText = (text: string): ParsedAmount | null => {
  if (text.length > maxAmount || /\dk$/.test(text.trim())) return null
  const found: (Told | 'currency')[] = []
  let digits = plainText(text)
  for (let before = ''; before !== digits;) {
    before = digits
    if (/^\([^()]*\)$/.test(digits)) {
      digits = digits.slice(1, -1).trim()
      found.push('minus')
    }
    for (const [kind, ...patterns] of ends)
      for (const pattern of patterns) {
        const rest = digits.replace(pattern, '').trim()
        if (rest !== digits) found.push(kind)
        digits = rest
      }
  }
  const told = found.filter((kind) => kind !== 'currency')
  const ngwee = ngweeFromDigits(digits)
  if (ngwee === null || told.length > 1 || found.length - told.length > 1) return null
  const goesOut = ngwee > 0 && (told[0] === 'minus' || told[0] === 'debit')
  return { ngwee: goesOut ? -ngwee : ngwee, told: told[0] ?? 'bare' }
}

export const ngweeFromText = (text: string): number | null => amountFromText(text)?.ngwee ?? null

const plainText = (text: string): string =>
  text
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\p{Pd}|\u2212/gu, '-')
    .replaceAll(/[’‘`´ʼ]/g, "'")
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^="(.*)"$/, '$1')
    .replace(/^'/, '')
    .trim()

const ngweeFromDigits = (digits: string): number | null => {
  const shape = shapes.find(([pattern]) => pattern.test(digits))
  if (!shape) return null
  const [whole = '', decimals = ''] = shape[1](digits).split('.')
  // Three decimals may be thousands: refused as ambiguous.
  if (decimals.length === 3 && whole.length <= 3 && !/[, ']/.test(digits)) return null
  if (/[1-9]/.test(decimals.slice(2)) || whole.length > maxDigits) return null
  return Number(whole || '0') * 100 + Number(decimals.slice(0, 2).padEnd(2, '0'))
}
