import { internationalPhone, normalizedPhone } from '#kernel/phone-number'
import { isPlaceholderPhone } from './placeholders'

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
  !/\p{L}/u.test(text) ||
  /[:=<>@]|__/.test(text) ||
  footers.test(text.replaceAll(/^[^\p{L}]+|[^\p{L}\d]+$/gu, ''))

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
const amongWords = (text: string): string | undefined =>
  /\d[eE][+-]?\d/.test(text)
    ? undefined
    : text
        .match(/(?<![\p{L}\d.])[+(]*\d[\d ()./-]*\d(?![\p{L}\d])/gu)
        ?.find((part) => internationalPhone(part) !== null && !isPlaceholderPhone(part))

const isLocal = (digits: string): boolean => digits.length >= 6 && digits.length <= 15
