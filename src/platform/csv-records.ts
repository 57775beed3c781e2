import { cutText } from '#kernel/cut-text'

/** `row` counts as in a spreadsheet. `open-quote`: read as a letter. `too-long`: over 128 KiB or 1,000 cells but for empty ones at its end, where reading stops. */
export type CsvRecord = {
  row: number
  cells: string[]
  problem: 'open-quote' | 'too-long' | null
  end: number
}

export const separators = [',', ';', '\t', '|'] as const
export type Separator = (typeof separators)[number]

// Bounded, since backtracking costs stack.
const blankLine = /[\t ,;|\u00a0]*(?:""[\t ,;|\u00a0]*){0,1000}(?:\r\n|\n|\r)/y

const afterBlankLines = (text: string, from: number): { at: number; lines: number } => {
  let at = from
  for (let lines = 0; ; lines += 1) {
    blankLine.lastIndex = at
    if (!blankLine.test(text)) return { at, lines }
    at = blankLine.lastIndex
  }
}

// Several times the longest real row.
const maxRecordLength = 128 * 1024
const maxCells = 1000

export function* recordsOf(text: string, separator: Separator): Generator<CsvRecord> {
  const cellEnd = new RegExp(`[${separator}\r\n]`, 'g')
  let row = 1
  for (let at = 0; at < text.length; row += 1) {
    const blank = afterBlankLines(text, at)
    row += blank.lines
    at = blank.at
    if (at === text.length) return
    const start = at
    const cells: string[] = []
    let filled = 0
    let problem: CsvRecord['problem'] = null
    for (let isLast = false; !isLast;) {
      const { cell, end, open } = cellAt(text, at, cellEnd)
      cells.push(shortened(cell))
      if (cells.at(-1) !== '') filled = cells.length
      if (open) problem = 'open-quote'
      isLast = text[end] !== separator
      at = end + (isLast ? lineEndAt(text, end) : 1)
      if (at - start <= maxRecordLength && filled <= maxCells) continue
      yield { row, cells, problem: 'too-long', end: at }
      return
    }
    if (cells.some((cell) => cell !== '')) yield { row, cells, problem, end: at }
  }
}

/** Letters of a heading, a cell, and a cell of notes; whatever is longer is cut one letter behind, before any expression sees it. */
export const longest = { heading: 200, cell: 500, notes: 2000 }

const shortened = (cell: string): string =>
  cutText(cell.slice(0, longest.notes * 2).trim(), longest.notes + 1)

const lineEndAt = (text: string, at: number): number => {
  if (text[at] === '\n') return 1
  if (text[at] !== '\r') return 0
  return text[at + 1] === '\n' ? 2 : 1
}

const isBlank = (sign: string | undefined) => sign === ' ' || sign === '\u00a0'

const cellAt = (text: string, at: number, cellEnd: RegExp): { cell: string; end: number; open: boolean } => {
  let quote = at
  while (isBlank(text[quote])) quote += 1
  const isQuoted = text[quote] === '"'
  const close = isQuoted ? closingQuote(text, quote + 1) : -1
  if (close !== -1) {
    let end = close + 1
    while (isBlank(text[end])) end += 1
    cellEnd.lastIndex = end
    if (end === text.length || cellEnd.exec(text)?.index === end)
      return { cell: text.slice(quote + 1, close).replaceAll('""', '"'), end, open: false }
  }
  cellEnd.lastIndex = at
  const end = cellEnd.exec(text)?.index ?? text.length
  const cell = text.slice(at, end)
  return { cell, end, open: isQuoted && cell.split('"').length % 2 === 0 }
}

/** Position of the closing quote, -1 for none. Doubled quotes are text. */
const closingQuote = (text: string, from: number): number => {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 2))
    if (text[at + 1] !== '"') return at
  return -1
}

const looked = 256 * 1024

export const firstLines = (text: string): { sample: string; rowsAbove: number } => {
  const { at, lines } = afterBlankLines(text, 0)
  return { sample: text.slice(at, at + looked), rowsAbove: lines }
}

export const firstRecords = (text: string, separator: Separator, most: number): CsvRecord[] => {
  const records: CsvRecord[] = []
  for (const record of recordsOf(text, separator)) {
    records.push(record)
    if (records.length === most) break
  }
  return records
}
