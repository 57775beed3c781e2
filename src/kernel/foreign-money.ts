type Line = { cells: readonly string[] }

const codes = new Set(
  'USD EUR GBP ZAR KES TZS UGX MWK BWP NAD MZN AOA CDF ZWL ZWG NGN GHS RWF BIF ETB SZL LSL MUR EGP XAF XOF INR CNY JPY AUD CAD NZD CHF SEK NOK DKK AED SAR BRL'.split(
    ' ',
  ),
)
const allCodes = new Set(Intl.supportedValuesOf('currency'))
const names: readonly (readonly [RegExp, string])[] = [
  [/\$|\bdollars?\b/, 'USD'],
  [/€|\beuros?\b/, 'EUR'],
  [/£|\bpounds?\b/, 'GBP'],
  [/\brands?\b|\(r\)/, 'ZAR'],
  [/\bpulas?\b/, 'BWP'],
  [/₦|\bnairas?\b/, 'NGN'],
  [/\byuan\b|\brmb\b/, 'CNY'],
  [/\bshillings?\b/, 'shillings'],
  [/\brs\b|\brupees?\b/, 'rupees'],
  [/\p{Sc}|\bforeign currency account\b/u, 'a foreign currency'],
]
const kwachaNames = new Set('zambia zambian kwacha kwachas zmw zmk zk k 967 894'.split(' '))
const currencyWord = /\b(currency|ccy|curr?|crncy|devise|monnaie|moeda|moneda|wahrung)\b/

/** In lower case, with words apart: `TransactionCurrency` is `transaction currency`. */
const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replaceAll(/[\s_]+/g, ' ')
    .trim()

const wordsOf = (text: string): string[] => plain(text).match(/[\p{L}\p{N}]+/gu) ?? []

const isNothing = (cell: string): boolean => /^([-–—.]|n\/?a)?$/i.test(cell)
const isKwacha = (cell: string): boolean => {
  const words = wordsOf(cell)
  return words.length > 0 && words.every((word) => kwachaNames.has(word))
}
const speaksOfKwacha = (text: string): boolean => /\b(zmw|zmk|zk|kwachas?)\b/.test(plain(text))

const listedCode = (text: string): string | null =>
  (
    plain(text)
      .toUpperCase()
      .match(/(?<![A-Z])[A-Z]{3}(?![A-Z])/g) ?? []
  ).find((code) => codes.has(code)) ?? null

/** Null for kwacha, and for a text that names no money. */
const moneyNamed = (text: string): string | null =>
  speaksOfKwacha(text)
    ? null
    : (listedCode(text) ?? names.find(([name]) => name.test(plain(text)))?.[1] ?? null)

/** The money that the head of a column names, in parentheses by any code; null for kwacha or none. */
export const moneyOfHead = (head: string): string | null => {
  const [, code = ''] = /[([{] ?([a-z]{3}) ?[)\]}]/.exec(plain(head)) ?? []
  const isCode = allCodes.has(code.toUpperCase()) && !isKwacha(code)
  return moneyNamed(head) ?? (isCode ? code.toUpperCase() : null)
}

export const isKwachaHead = (head: string): boolean => wordsOf(head).some((word) => kwachaNames.has(word))

const isShortName = (cell: string): boolean =>
  isKwacha(cell) || (cell.length <= 4 && moneyNamed(cell) !== null)
const isWordOrCode = (cell: string): boolean => !/\d/.test(cell) || /^\d{3}$/.test(cell)

/** Whether a column holds currency codes: its head says so, or all its cells are such. */
const holdsCodes = (head: string, filled: readonly string[]): boolean => {
  if (filled.every(isShortName)) return true
  const isNamed = currencyWord.test(wordsOf(head).join(' '))
  return isNamed && filled.filter(isWordOrCode).length * 2 > filled.length
}

/** Explains why a row is not in kwacha, by its columns of currency codes; null when it is. */
export const otherCurrency = (
  heads: readonly string[],
  rows: readonly Line[],
): ((cells: readonly string[]) => string | null) => {
  const filledIn = (place: number, some: readonly Line[]) =>
    some.map(({ cells }) => cells[place] ?? '').filter((cell) => !isNothing(cell))
  const first = rows.slice(0, 20)
  const places = heads.flatMap((head, place) => {
    // Most columns are none by their first rows.
    if (!holdsCodes(head, filledIn(place, first))) return []
    const filled = filledIn(place, rows)
    return filled.length > 0 && holdsCodes(head, filled) ? [place] : []
  })
  return (cells) => {
    const other = places
      .map((place) => cells[place] ?? '')
      .find((cell) => !isNothing(cell) && !isKwacha(cell))
    return other === undefined ? null : `This row is in ${other}, and only kwacha are read`
  }
}

type Told = {
  /** Lines above the headings. */
  above: readonly string[]
  /** The head of the amounts, and what stands below it without a digit. */
  head: string
  units: readonly string[]
}

/** The money of a whole file: as the head of its amounts says it, a line of units, or the lines above; null for kwacha. */
export const moneyOfFile = ({ above, head, units }: Told): string | null => {
  const own = moneyOfHead(head)
  if (own !== null || isKwachaHead(head)) return own
  const unit = units.map(moneyNamed).find((money) => money !== null)
  if (unit !== undefined) return unit
  const stated = above.filter(statesMoney)
  const code = stated.map(codeStated).find((one) => one !== null)
  if (code !== undefined) return isKwacha(code) ? null : code
  if (stated.some(speaksOfKwacha)) return null
  const money = stated.map(moneyNamed).find((one) => one !== null)
  if (money !== undefined) return money
  if (above.some(speaksOfKwacha)) return null
  const lines = above.filter((line) => !/\brates?\b/i.test(line))
  return lines.map((line) => listedCode(capitals(line))).find((one) => one !== null) ?? null
}

const statesMoney = (line: string): boolean => {
  const words = plain(line)
  return (
    currencyWord.test(words) ||
    (/\b(amounts|figures|values|prices|statement)\b/.test(words) && /\bin\b/.test(words))
  )
}

/** `Currency: RMB`. */
const codeStated = (line: string): string | null =>
  /(?:[Cc]urrency|CURRENCY|ccy|Ccy|CCY)(?: [Cc]ode| CODE)?[^\p{L}\d]+([A-Z]{3})(?!\p{L})/u.exec(line)?.[1] ??
  null

const capitals = (line: string): string => (line.match(/(?<!\p{L})[A-Z]{3}(?!\p{L})/gu) ?? []).join(' ')
