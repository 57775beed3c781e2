import type { Knex } from 'knex'
import { foldedName, foldedSql } from '#kernel/folded-name'
import { deletedText } from './event-store/sealed-events'

/** What a family is called and reached by: names, usernames, addresses, phone numbers. */
export type FamilyWords = readonly string[]

// Signs that people write inside of a name, or leave out of it.
const between = '[\\p{M}\\p{Cf}\'’‘ʼ`´"-]*'
const betweenDigits = '[\\s().-]*'
const spelled = (signs: string, by: string): string =>
  [...signs].map((sign) => sign.replace(/[$()*+./?[\\\]^{|}]/, String.raw`\$&`)).join(by)

// They stand in names and in every other sentence too.
const common = new Set(
  'and child dad dr family father for miss mother mr mrs ms mum no of on or parent teacher the to'.split(' '),
)

/** The last nine digits of those that are phone numbers. */
export const phonesIn = (words: FamilyWords): string[] =>
  words.flatMap((word) => (/^[+\d][\d\s().-]{7,}$/.test(word) ? [word.replaceAll(/\D/g, '').slice(-9)] : []))

/** The words of names, each folded; of a phone number its last nine digits. Single letters name nobody. */
const wordsOf = (words: FamilyWords): string[] => {
  const parts = words.flatMap((word) =>
    word.includes('@') ? [word] : [word, ...word.split(/\s+/), ...word.split(/[\s-]+/)],
  )
  return [...new Set([...parts.map(foldedName), ...phonesIn(words)])].filter(
    (word) => word.length > 1 && !common.has(word),
  )
}

/** The text with `[deleted]` for each of these words, however it is written: with marks, apostrophes or neither, in any case. */
export const withoutWords = (text: string, words: FamilyWords): string => {
  const patterns = wordsOf(words)
    .toSorted((one, other) => other.length - one.length)
    .map((word) =>
      /^\d{9}$/.test(word)
        ? `(?<!\\d)(?:\\+?260|0)?${betweenDigits}${spelled(word, betweenDigits)}(?!\\d)`
        : `(?<![\\p{L}\\p{N}])${spelled(word, between)}\\p{M}*(?![\\p{L}\\p{N}])`,
    )
  if (patterns.length === 0) return text
  const read = text.normalize('NFKD')
  const told = read.replaceAll(new RegExp(patterns.join('|'), 'giu'), deletedText)
  return told === read ? text : told.normalize('NFC')
}

/** Whether a text has all words of one of these names, in any order; a name of one word names nobody. */
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

/** Those of the rows that may hold one of these words in `column`; `withoutWords` finds them, or that there are none. */
export const mayHold = (rows: Knex.QueryBuilder, column: string, words: FamilyWords): Knex.QueryBuilder =>
  rows.whereRaw(`${foldedSql(column)} like any(?::text[])`, [
    wordsOf(words).map((word) => `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`),
  ])
