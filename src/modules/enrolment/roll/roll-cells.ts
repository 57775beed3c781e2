import { gradeNames } from '#contracts/identity'
import { foldedName } from '#kernel/folded-name'
import { internationalPhone, normalizedPhone } from '#kernel/phone-number'

/** `#N/A`, `#REF!`, `#DIV/0!`, `#NV`, `Err:502`, `########`. */
export const isSpreadsheetError = (text: string): boolean =>
  /^#(n\/a|ref|name|value|div\/0|null|num|spill|calc|getting_data|error|field|blocked|unknown|busy|connect|python)\b[!?]?/i.test(
    text,
  ) ||
  /^#+$|^#[¡\p{Lu}_/0]*[!?]?$/u.test(text) ||
  /^err: ?\d+$/i.test(text)

/** `=B2&" "&C2`, `@A1`, `+B2`. */
export const isFormula = (text: string): boolean => /^(\{?=|@|[+-] ?[A-Za-z$]+[$\d(])/.test(text)

const counted =
  'pupil pupils student students child children learner learners boy boys girl girls number no of in for the all count enrolled enrolment enrollment school class grade roll'.split(
    ' ',
  )
const sums = 'total totals subtotal subtotals sum count average headcount'.split(' ')

/** `Total pupils`, `Grand total: 45`, `Class total`, `Number of pupils`. */
export const isTotal = (text: string): boolean => {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  const rest = words.filter((word) => word !== 'grand' && word !== 'sub' && word !== 'overall')
  const isCount = /^(number|no) of/.test(rest.join(' '))
  return (
    (isCount || rest.some((word) => sums.includes(word))) &&
    rest.every((word) => sums.includes(word) || counted.includes(word))
  )
}

/** `45 pupils`, `Boys: 20`. */
export const isCountOfChildren = (text: string): boolean => {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? []
  const isOfMany = words.some((word) => word.endsWith('s') || word === 'children')
  return isOfMany && words.every((word) => counted.includes(word)) && /\d/.test(text)
}

const footers =
  /^(printed|generated|prepared|compiled|checked|approved|signed|exported|downloaded) (on|by|from)\b|^signature|^page \d|\bend of\b|^(student|pupil|learner|child|true|false)( ?name)?s?$|^names?$/i

/** `Page 1 of 3`, `Class teacher: …`, repeated headings. */
export const isNoName = (text: string): boolean =>
  !/\p{L}/u.test(text) || /[:=<>@]|__/.test(text) || footers.test(trimmed(text))

/** From the first letter to the last letter or digit. */
const trimmed = (text: string): string => {
  const letters = [...text]
  const first = letters.findIndex((letter) => /\p{L}/u.test(letter))
  return letters.slice(first, 1 + letters.findLastIndex((letter) => /[\p{L}\d]/u.test(letter))).join('')
}

const separators = /[/,;|&\n]|\b(?:or|and)\b/i

/** As written: the first plausible one, without a spreadsheet's `.0`. Short local numbers are kept. Null for none. */
export const phoneIn = (cell: string): string | null => {
  const text = normalizedPhone(cell)
  const all = [text, ...text.split(separators), ...text.split(/ (?=\+|0\d{2})/)].map((part) =>
    part.trim().replace(/^(\+?\d+)\.0+$/, '$1'),
  )
  const plausible = all.find((part) => internationalPhone(part) !== null && !isPlaceholderPhone(part))
  if (plausible !== undefined) return plausible
  const beside = amongWords(text)
  if (beside !== undefined) return beside
  return /^[+\d][\d ()./-]*$/.test(text) && isLocal(text.replaceAll(/\D/g, '')) ? text : null
}

/** The number in `0977 123 456 (mother)`. */
const amongWords = (text: string): string | undefined => {
  if (/\d[eE][+-]?\d/.test(text)) return undefined
  for (const { 0: found, index } of text.matchAll(/[\d+(][\d ()./-]*/g)) {
    const part = found.slice(0, found.search(/\d\D*$/) + 1)
    const [before = '', after = ''] = [text[index - 1], text[index + part.length]]
    const isApart = !/[\p{L}.]/u.test(before) && !/\p{L}/u.test(after)
    if (isApart && internationalPhone(part) !== null && !isPlaceholderPhone(part)) return part
  }
  return undefined
}

const isLocal = (digits: string): boolean => digits.length >= 6 && digits.length <= 15

const noWords = new Set(
  (
    'na none nil nill null no unknown undefined nan missing blank empty pending tba tbc tbd test testing dummy fake sample example ' +
    'notavailable notapplicable notgiven notprovided notknown noemail nomail nophone nonumber nocontact noname noreply donotreply ' +
    'nobody noone noaddress donthave dontknow anonymous placeholder'
  ).split(' '),
)

const bare = (text: string): string => foldedName(text).replaceAll(/[^\p{L}\p{N}]/gu, '')

/** `n/a`, `-`, `nil`, `xxx`. */
export const isPlaceholder = (text: string): boolean => {
  const word = bare(text)
  return text !== '' && (word === '' || noWords.has(word) || /^xx+$/.test(word))
}

/** `none@none.com`, `test@test.com`, `a@a.a`. */
export const isPlaceholderEmail = (email: string): boolean => {
  if (isPlaceholder(email)) return true
  const [local = '', domain = ''] = email.split('@')
  if (domain === '') return false
  const [label = ''] = domain.split('.')
  const words = new Set([
    'none',
    'noemail',
    'nomail',
    'unknown',
    'nil',
    'null',
    'na',
    'invalid',
    'dummy',
    'fake',
    'test',
    'nowhere',
    'noaddress',
  ])
  const word = bare(local).replace(/^(\p{L}{4,})\d+$/u, '$1')
  return (
    isPlaceholder(local) ||
    isPlaceholder(word) ||
    words.has(bare(label)) ||
    bare(local) === bare(label) ||
    /^(\w)\1+$/.test(local)
  )
}

/** `0000000000`, `0999999999`, `123456789`, `n/a`. */
export const isPlaceholderPhone = (phone: string): boolean => {
  if (isPlaceholder(phone)) return true
  if (/\p{L}/u.test(phone)) return false
  const digits = (internationalPhone(phone) ?? phone).replaceAll(/\D/g, '').replace(/^260(?=\d{9}$)/, '')
  return /^(\d)\1*$/.test(digits) || /(\d)\1{6}$/.test(digits) || isSequence(digits)
}

const isSequence = (digits: string): boolean =>
  digits.length >= 6 && ['01234567890', '09876543210'].some((sequence) => sequence.includes(digits))

const roles = new Set(
  'mother father mum mom mummy dad daddy parent parents guardian aunt auntie uncle grandmother grandfather granny brother sister'.split(
    ' ',
  ),
)

/** A placeholder, or a role such as "mother". */
export const isUnnamed = (guardian: string): boolean => isPlaceholder(guardian) || roles.has(bare(guardian))

/** One line, without a spreadsheet's decoration. */
export const plain = (text: string): string =>
  text
    .replace(/^="([^"&]*)"$/, '$1')
    .replace(/^'/, '')
    .normalize('NFKC')
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()

const beforeFirst = new Set(['R', 'RECEPTION', 'KG', 'KINDERGARTEN'])

/** `Grade 3`, `gr. 03`, `3.0`, `3rd grade`, `3B` and `3` are 3, Reception and Grade R are K; null for none. */
export const gradeOf = (text: string): string | null => {
  const bare = text
    .toUpperCase()
    .replace(/^(GRADE|GR\.?|G|CLASS|YEAR(?= R$)) ?(?=\d|[RK]$)/, '')
    .replace(/^0+(?=\d)/, '')
    .replace(/^(\d+)\.0+$/, '$1')
    .replace(/^(\d+)(?: ?-?[A-Z]|(?:ST|ND|RD|TH)(?: GRADE)?)$/, '$1')
  return beforeFirst.has(bare) ? 'K' : (gradeNames.find((grade) => grade === bare) ?? null)
}
