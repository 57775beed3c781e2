import { amountFromText } from './parse-amount'
import { instantFromText } from './parse-date'

type Cells = readonly string[]
type Table = { heads: readonly string[]; rows: readonly { cells: Cells }[] }

/** `head` is compared in lower case, with blanks for signs. `alone`: counts only if one column fits. */
export type ColumnRule<Column extends string> = {
  column: Column
  head: RegExp
  /** Stands somewhere behind it. */
  followedBy?: RegExp
  not?: RegExp
  fits: (filled: Cells, rows: number) => boolean
  alone?: boolean
}

const looked = 200

/** Head by column, from heads and first rows. Earlier rules count first; a head counts once. Yields per column that a rule looks at. */
export function* guessColumns<Column extends string>(
  { heads, rows }: Table,
  rules: readonly ColumnRule<Column>[],
): Generator<undefined, Partial<Record<Column, string>>> {
  const first = rows.slice(0, looked)
  const columns = heads.map((head, place) => lookedAt(head, first, place))
  const guess: Partial<Record<Column, string>> = {}
  for (const { column, head, followedBy, not, fits, alone } of rules) {
    if (guess[column] !== undefined) continue
    const found: string[] = []
    for (const one of columns) {
      if (
        Object.values(guess).includes(one.head) ||
        !isNamed(one.plain, head, followedBy) ||
        not?.test(one.plain)
      )
        continue
      yield
      if (one.holds(fits)) found.push(one.head)
    }
    if (found[0] && (!alone || found.length === 1)) guess[column] = found[0]
  }
  return guess
}

const isNamed = (plain: string, head: RegExp, followedBy: RegExp | undefined): boolean => {
  const found = head.exec(plain)
  return (
    found !== null &&
    (followedBy === undefined || followedBy.test(plain.slice(found.index + found[0].length)))
  )
}

type Fits = ColumnRule<string>['fits']

/** Cells are looked at once for each question. */
const lookedAt = (head: string, rows: readonly { cells: Cells }[], place: number) => {
  const answers = new Map<Fits, boolean>()
  let filled: Cells | null = null
  const holds = (fits: Fits): boolean => {
    // Headings may stand again on each page.
    filled ??= rows.map(({ cells }) => cells[place] ?? '').filter((cell) => cell !== head && !isNothing(cell))
    const answer = answers.get(fits) ?? fits(filled, rows.length)
    answers.set(fits, answer)
    return answer
  }
  return { head, plain: plainHead(head), holds }
}

const plainHead = (head: string): string =>
  head
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

const isNothing = (cell: string): boolean => /^([-–—.\s]*|n\/?a|nil|none|null)$/i.test(cell)

/** Four of five. */
export const mostly = (cells: Cells, is: (cell: string) => boolean): boolean =>
  cells.length > 0 && cells.filter(is).length >= cells.length * 0.8

const isDate = (cell: string): boolean =>
  (['day-first', 'month-first', 'year-first'] as const).some(
    (order) => instantFromText(cell, order, 'UTC') !== null,
  )

const isPhone = (cell: string): boolean =>
  /^(FRI:)?\+?(260|0)?[79]\d{8}(\/MSISDN)?$/i.test(cell.replaceAll(/[\s()-]/g, ''))

const isAmount = (cell: string): boolean => amountFromText(cell) !== null && !/^\+?\d{9,}$/.test(cell)

export const holdsDates = (filled: Cells): boolean => mostly(filled, isDate)

/** A column of money may be empty in these rows. */
export const holdsAmounts = (filled: Cells): boolean =>
  filled.every((cell) => isAmount(cell) && !isDate(cell))

export const holdsPhones = (filled: Cells): boolean => mostly(filled, isPhone)

export const holdsWords = (filled: Cells): boolean =>
  filled.some((cell) => /\p{L}{2}/u.test(cell)) && !holdsDates(filled) && !mostly(filled, isAmount)

export const holdsNames = (filled: Cells): boolean =>
  mostly(filled, (cell) => /\p{L}{2}/u.test(cell) && !/\d/.test(cell))

/** One word with a digit in every row, never twice. */
export const holdsIds = (filled: Cells, rows: number): boolean =>
  rows > 0 &&
  filled.length === rows &&
  new Set(filled).size === rows &&
  filled.every((cell) => /\d/.test(cell) && !/\s/.test(cell) && !/E\+\d/i.test(cell)) &&
  !holdsDates(filled)

/** The same, and the column is not empty in these rows. */
export const holdsSomeAmounts = (filled: Cells): boolean => filled.length > 0 && holdsAmounts(filled)
