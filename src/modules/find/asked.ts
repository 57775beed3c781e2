import { foldedWords } from '#kernel/folded-name'
import { ngweeSearched, type Ngwee } from '#kernel/money'
import { phoneEnding } from '#kernel/phone-number'

/** What somebody typed into the search, as the things that it may be; null or empty where it is none. */
export type Asked = {
  /** As typed, in lower case. */
  text: string
  /** Each of them, folded, is to be found in a name. */
  words: readonly string[]
  /** A reference, a token or a number that somebody may have written down, as a `like` pattern over its signs alone. */
  code: string | null
  /** Of a phone number what is the same at home and from abroad: no country code, no leading zero. */
  phone: string | null
  amount: Ngwee | null
  receipt: ReceiptAsked | null
}

/** `2026-000123`, or of a credit note `CN2026-000012`. */
type ReceiptAsked = { kind: 'receipt' | 'credit_note'; year: number; number: number }

const maxWords = 6

export const askedBy = (typed: string): Asked => {
  const text = typed.trim().toLowerCase()
  return {
    text,
    words: foldedWords(text, maxWords),
    code: codeIn(text),
    phone: phoneEnding(text),
    amount: ngweeSearched(text),
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

const receiptIn = (text: string): ReceiptAsked | null => {
  const [, note, year, number] = /^(cn)?\s*(20\d\d)\s*-\s*(\d{1,9})$/.exec(text) ?? []
  return year === undefined
    ? null
    : { kind: note ? 'credit_note' : 'receipt', year: Number(year), number: Number(number) }
}
