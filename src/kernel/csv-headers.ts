import { ngweeFromText } from './parse-amount'
import { instantFromText } from './parse-date'

/** Why a row of a list is no entry of it; null where it may be one. `read`: what stands in the columns that are read. */
export const reasonLeftOut = ({
  heads,
  cells,
  read,
}: Record<'heads' | 'cells' | 'read', readonly string[]>): string | null => {
  if (cells.every((cell, place) => compared(cell) === compared(heads[place] ?? '')))
    return 'the headings again'
  return read.every((text) => text === '') ? 'nothing in the columns that are read' : null
}

/** Without case; underscores count as blanks. */
const compared = (head: string): string =>
  head
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s_]+/g, ' ')
    .trim()

export const hasHeader = (heads: readonly string[], wanted: string): boolean =>
  indexOfHead(heads, wanted) !== -1

export const headerFinder = (heads: readonly string[]): ((wanted: string) => boolean) => {
  const known = new Set(heads.map(compared))
  return (wanted) => known.has(compared(wanted))
}

export const indexOfHead = (heads: readonly string[], wanted: string): number =>
  heads.findIndex((head) => compared(head) === compared(wanted))

/** A second `Amount` becomes `Amount (2)`, an empty cell `Column 4`; empty ones at the end have no name unless `count` says so. */
export const headersOf = (
  cells: readonly string[],
  count = cells.findLastIndex((cell) => cell.trim() !== '') + 1,
): string[] => {
  const seen = new Set<string>()
  return cells.slice(0, count).map((cell, index) => {
    const head = cell.replaceAll(/\s+/g, ' ').trim() || `Column ${index + 1}`
    let name = head
    for (let count = 2; seen.has(compared(name)); count += 1) name = `${head} (${count})`
    seen.add(compared(name))
    return name
  })
}

export const headersKey = (heads: readonly string[]): string => JSON.stringify(heads.map(compared))

const dateInText = /(?<!\d)\d{1,4}([./-])\d{1,2}\1\d{2,4}(?!\d)/
const moneyInText = /(?<![\p{L}\d])(zmw|zmk|zk|k) ?\d[\d,]*\.\d{2}(?!\d)/iu

export const holdsValue = (cell: string): boolean =>
  (/\d/.test(cell) && !/\p{L}/u.test(cell)) ||
  dateInText.test(cell) ||
  moneyInText.test(cell) ||
  ngweeFromText(cell) !== null ||
  instantFromText(cell, 'day-first', 'UTC') !== null

export const isHeaderLine = (cells: readonly string[]): boolean =>
  cells.some((cell) => /\p{L}/u.test(cell)) && !cells.some(holdsValue)

const isWord = (head: string) => /\p{L}/u.test(head) && head.length <= 60 && !/^Column \d+$/.test(head)

/** The line that names several columns and has as many cells as most value lines. Of equals the one with most words. Null for none. */
export const likeliestHeader = <Head extends { row: number; heads: readonly string[] }>(
  candidates: readonly Head[],
  lines: readonly { row: number; cells: readonly string[] }[],
): Head | null => {
  const names = ({ row, heads }: Head) => {
    const below = lines.flatMap((line) => (line.row > row ? [widthOf(line.cells)] : []))
    const usual = below.toSorted((one, other) => one - other)[Math.floor(below.length / 2)] ?? 0
    return heads.length > 1 && heads.length * 2 > usual
  }
  const values = lines.filter(({ cells }) => cells.some(holdsValue))
  const ranked = candidates.filter(names).map((candidate) => ({
    candidate,
    fitting: values.filter(({ row, cells }) => row > candidate.row && isAsWide(cells, candidate.heads))
      .length,
    words: candidate.heads.filter(isWord).length,
  }))
  const [likeliest] = ranked.toSorted((one, other) => other.fitting - one.fitting || other.words - one.words)
  return likeliest?.candidate ?? null
}

const isAsWide = (cells: readonly string[], heads: readonly string[]) =>
  cells.length >= heads.length && widthOf(cells) <= heads.length

const widthOf = (cells: readonly string[]) => cells.findLastIndex((cell) => cell !== '') + 1
