import { ngweeFromDecimal, type Ngwee } from '#kernel/money'

/** What somebody typed into the search, as the things that it may be; null or empty where it is none. */
export type Asked = {
  /** As typed, in lower case. */
  text: string
  /** Each of them is to be found in a name. */
  words: readonly string[]
  /** A reference, a token or a number that somebody may have written down, as a `like` pattern over its signs alone. */
  code: string | null
  /** Of a phone number what is the same at home and from abroad: no country code, no leading zero. */
  phone: string | null
  amount: Ngwee | null
  receipt: ReceiptAsked | null
}

/** `2026-000123`, or of a credit note `CN2026-000012`. */
export type ReceiptAsked = { kind: 'receipt' | 'credit_note'; year: number; number: number }

const mostWords = 6

export const askedBy = (typed: string): Asked => {
  const text = typed.trim().toLowerCase()
  return {
    text,
    words: text.split(/\s+/).slice(0, mostWords),
    code: codeIn(text),
    phone: phoneIn(text),
    amount: amountIn(text),
    receipt: receiptIn(text),
  }
}

/** Letters and digits in capitals; the beginning of a code will do where it cannot be a name or an amount. */
const codeIn = (text: string): string | null => {
  if (!/^[\x20-\x7e]*$/.test(text)) return null
  const signs = text.replaceAll(/[^a-z0-9]/g, '').toUpperCase()
  if (signs.length < 3) return null
  const isBeginning = /^LP.{2}/.test(signs) || (signs.length >= 6 && /\d/.test(signs))
  return isBeginning ? `${signs}%` : signs
}

/** The digits of a Zambian subscriber's number. */
const subscriberDigits = 9
const fewestDigits = 5

const phoneIn = (text: string): string | null => {
  if (!/^[+\d\s()./-]+$/.test(text)) return null
  const home = text
    .replaceAll(/\D/g, '')
    .replace(/^00/, '')
    .replace(/^260(?=\d{9})/, '')
    .replace(/^0+/, '')
  return home.length < fewestDigits ? null : home.slice(-subscriberDigits)
}

const amountIn = (text: string): Ngwee | null =>
  ngweeFromDecimal(text.replace(/^(zmw|k)\s*/, '').replaceAll(/[\s,]/g, ''))

const receiptIn = (text: string): ReceiptAsked | null => {
  const [, note, year, number] = /^(cn)?\s*(20\d\d)\s*-\s*(\d{1,9})$/.exec(text) ?? []
  return year === undefined
    ? null
    : { kind: note ? 'credit_note' : 'receipt', year: Number(year), number: Number(number) }
}
