import type { Knex } from 'knex'
import { foldedName, foldedSql } from '#kernel/folded-name'
import { deletedText } from './event-store/sealed-events'

export type FamilyWords = readonly string[]

// Characters that people write or omit within names.
const between = '[\\p{M}\\p{Cf}\'’‘ʼ`´"-]*'
const betweenDigits = '[\\s().-]*'
const spelled = (signs: string, by: string): string =>
  [...signs].map((sign) => sign.replace(/[$()*+./?[\\\]^{|}]/, String.raw`\$&`)).join(by)

// Words that also occur in other sentences.
const common = new Set(
  'and child dad dr family father for miss mother mr mrs ms mum no of on or parent teacher the to'.split(' '),
)

/** Last nine digits of each phone number. */
export const phonesIn = (words: FamilyWords): string[] =>
  words.flatMap((word) => (/^[+\d][\d\s().-]{7,}$/.test(word) ? [word.replaceAll(/\D/g, '').slice(-9)] : []))

/** Folded words of names, and phone endings. Single letters are skipped. */
const wordsOf = (words: FamilyWords): string[] => {
  const parts = words.flatMap((word) =>
    word.includes('@') ? [word] : [word, ...word.split(/\s+/), ...word.split(/[\s-]+/)],
  )
  return [...new Set([...parts.map(foldedName), ...phonesIn(words)])].filter(
    (word) => word.length > 1 && !common.has(word),
  )
}

/** Each word in any spelling and case; null for no words. */
export const expressionFor = (words: FamilyWords): RegExp | null => {
  const patterns = wordsOf(words)
    .toSorted((one, other) => other.length - one.length)
    .map((word) =>
      /^\d{9}$/.test(word)
        ? `(?<!\\d)(?:(?:\\+?260|0)${betweenDigits})?${spelled(word, betweenDigits)}(?!\\d)`
        : `(?<![\\p{L}\\p{N}])${spelled(word, between)}\\p{M}*(?![\\p{L}\\p{N}])`,
    )
  return patterns.length === 0 ? null : new RegExp(patterns.join('|'), 'giu')
}

/** Replaces each word by `[deleted]`. */
export const withoutWords = (text: string, words: FamilyWords): string => {
  const expression = expressionFor(words)
  if (expression === null) return text
  const read = text.normalize('NFKD')
  const told = read.replaceAll(expression, deletedText)
  return told === read ? text : told.normalize('NFC')
}

/** True when a text has all words of one name, in any order; one-word names do not count. */
export const namesOne = (text: string, words: FamilyWords): boolean => {
  const told = new Set(foldedParts(text))
  return words
    .filter((word) => !word.includes('@'))
    .map((word) => foldedParts(word).filter((part) => !common.has(part)))
    .some((parts) => parts.length > 1 && parts.every((part) => told.has(part)))
}

const foldedParts = (text: string): string[] =>
  text
    .split(/[\s,;:/()]+/)
    .map(foldedName)
    .filter(Boolean)

/** Narrows to rows whose `column` may hold a word; `withoutWords` decides. */
export const mayHold = (rows: Knex.QueryBuilder, column: string, words: FamilyWords): Knex.QueryBuilder =>
  rows.whereRaw(`${foldedSql(column)} like any(?::text[])`, [
    wordsOf(words).map((word) => `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`),
  ])
