import { foldedWords } from '#kernel/folded-name'
import { ngweeFromSearch, type Ngwee } from '#kernel/money'
import { phoneEnding } from '#kernel/phone-number'

export type SearchQuery = {
  text: string
  /** Folded; each must occur in a name. */
  words: readonly string[]
  /** A reference, token or number as a `like` pattern. */
  code: string | null
  /** Without country code and leading zero. */
  phone: string | null
  amount: Ngwee | null
  receipt: ReceiptQuery | null
}

type ReceiptQuery = { kind: 'receipt' | 'credit_note'; year: number; number: number }

const maxWords = 6

export const parseSearchQuery = (typed: string): SearchQuery => {
  const text = typed.trim().toLowerCase()
  return {
    text,
    words: foldedWords(text, maxWords),
    code: codeIn(text),
    phone: phoneEnding(text),
    amount: ngweeFromSearch(text),
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

const receiptIn = (text: string): ReceiptQuery | null => {
  const [, note, year, number] = /^(cn)?\s*(20\d\d)\s*-\s*(\d{1,9})$/.exec(text) ?? []
  return year === undefined
    ? null
    : { kind: note ? 'credit_note' : 'receipt', year: Number(year), number: Number(number) }
}
