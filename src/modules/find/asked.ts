import { foldedWords } from '#kernel/folded-name'
import { ngweeSearched, type Ngwee } from '#kernel/money'
import { phoneEnding } from '#kernel/phone-number'

/** All readings of the search text; null or empty where one does not apply. */
export type Asked = {
  text: string
  /** Folded; each must occur in a name. */
  words: readonly string[]
  /** A reference, token or number as a `like` pattern. */
  code: string | null
  /** Without country code and leading zero. */
  phone: string | null
  amount: Ngwee | null
  receipt: ReceiptAsked | null
}

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

/** A partial code counts only if it cannot be a name or an amount. */
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
