import { Refusal } from '#kernel/refusal'
import { headersOf, holdsValue, isHeaderLine, likeliestHeader } from '#kernel/csv-headers'
import { uploadRefusal } from './http/request'
import { uploadedText, type UploadedText } from './http/body'
import { setImmediate } from 'node:timers/promises'

/** `row` counts as in a spreadsheet. `open-quote`: read as a letter. `too-long`: over 128 KiB or 1,000 cells, where reading stops. */
type CsvRecord = {
  row: number
  cells: string[]
  problem: 'open-quote' | 'too-long' | null
  end: number
}

const separators = [',', ';', '\t', '|'] as const
type Separator = (typeof separators)[number]

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

function* recordsOf(text: string, separator: Separator): Generator<CsvRecord> {
  const cellEnd = new RegExp(`[${separator}\r\n]`, 'g')
  let row = 1
  for (let at = 0; at < text.length; row += 1) {
    const blank = afterBlankLines(text, at)
    row += blank.lines
    at = blank.at
    if (at === text.length) return
    const start = at
    const cells: string[] = []
    let problem: CsvRecord['problem'] = null
    for (let isLast = false; !isLast;) {
      const { cell, end, open } = cellAt(text, at, cellEnd)
      cells.push(cell.trim())
      if (open) problem = 'open-quote'
      isLast = text[end] !== separator
      at = end + (isLast ? lineEndAt(text, end) : 1)
      if (at - start <= maxRecordLength && cells.length <= maxCells) continue
      yield { row, cells, problem: 'too-long', end: at }
      return
    }
    if (cells.some((cell) => cell !== '')) yield { row, cells, problem, end: at }
  }
}

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

const firstLines = (text: string): { sample: string; rowsAbove: number } => {
  const { at, lines } = afterBlankLines(text, 0)
  return { sample: text.slice(at, at + looked), rowsAbove: lines }
}

const firstRecords = (text: string, separator: Separator, most: number): CsvRecord[] => {
  const records: CsvRecord[] = []
  for (const record of recordsOf(text, separator)) {
    records.push(record)
    if (records.length === most) break
  }
  return records
}

/** Ordered by how many lines agree on the number of cells, then by more cells. */
const likelySeparators = (sample: string): Separator[] => {
  const scores = separators.map((separator) => {
    const lines = new Map<number, number>()
    for (const { cells } of firstRecords(sample, separator, 500))
      if (cells.length > 1) lines.set(cells.length, (lines.get(cells.length) ?? 0) + 1)
    const [cells, count] = [...lines].toSorted(([a, one], [b, other]) => other - one || b - a)[0] ?? [1, 0]
    return { separator, cells, count }
  })
  return scores
    .toSorted((one, other) => other.count - one.count || other.cells - one.cells)
    .map(({ separator }) => separator)
}

type CsvLine = { row: number; cells: string[] }

export type CsvHead = { row: number; heads: string[]; separator: Separator }

type CsvFile = UploadedText & {
  separator: Separator
  candidates: readonly CsvHead[]
  likely: CsvHead | null
}

/** `rows` have one cell per heading; `errors` are rows that do not fit. */
export type CsvTable = CsvHead & { rows: CsvLine[]; errors: (CsvLine & { message: string })[] }

const headWithin = 20

/** Detects encoding (BOM, UTF-8, UTF-16, Windows Latin) and separator (comma, semicolon, tab, bar, or `sep=;`). Refuses what is no CSV. */
export const openCsvFile = (bytes: Buffer): CsvFile => {
  const { text: whole, ...rest } = uploadedText(bytes)
  const [line = '', told] = /^"?sep=([,;|\t])"?[\t ]*(?=[\r\n])/i.exec(whole) ?? []
  // Keeps an empty line so that row numbers match the file.
  const text = whole.slice(line.length)
  const { sample, rowsAbove } = firstLines(text)
  const separators = told ? [told as Separator] : likelySeparators(sample)
  const candidates = separators.flatMap((separator) =>
    firstRecords(sample, separator, headWithin)
      .filter(({ cells }) => isHeaderLine(cells))
      .map(({ row, cells }): CsvHead => ({ row: row + rowsAbove, heads: headersOf(cells), separator })),
  )
  const separator = separators[0]!
  const lines = firstRecords(sample, separator, 500)
  const likely = likeliestHeader(
    candidates.filter((head) => head.separator === separator),
    lines.map((line) => ({ ...line, row: line.row + rowsAbove })),
  )
  return { ...rest, text, separator, candidates, likely }
}

/** Throws `no_headings`. */
export const likelyHead = ({ likely }: CsvFile): CsvHead => {
  if (likely) return likely
  throw uploadRefusal('no_headings', 'The file has no line of headings. Write one above the first row.')
}

/** Throws `too_many_rows` above `maxRows`, and `upload_malformed` for an unclosed quote, which would swallow rows silently. */
export const tableUnder = async (file: CsvFile, head: CsvHead, maxRows: number): Promise<CsvTable> => {
  const table: CsvTable = { ...head, rows: [], errors: [] }
  let read = 0
  let headCells = head.heads.length
  for (const record of recordsOf(file.text, head.separator)) {
    refuseProblem(record)
    if (record.row === head.row) headCells = record.cells.length
    if (record.row <= head.row) continue
    if (read === maxRows) throw tooManyRows(maxRows)
    read += 1
    refuseSwallowedRows(record, head)
    const cells = withoutPadding(record.cells, head.heads.length)
    const isPadded = record.cells.length <= headCells || !hasTornAmount(cells)
    const message = problemWith(isPadded ? cells : record.cells, head.heads.length, file.isCut)
    if (message === null) table.rows.push({ row: record.row, cells })
    else table.errors.push({ row: record.row, cells: record.cells.map(withoutNul), message })
    // Lets other requests run.
    if (read % 1000 === 0) await setImmediate()
  }
  return table
}

/** Throws `no_headings` when no line is likely. */
export const readCsvTable = (
  bytes: Buffer,
  { maxRows, isHead }: { maxRows: number; isHead: (heads: readonly string[]) => boolean },
): Promise<CsvTable> => {
  const file = openCsvFile(bytes)
  return tableUnder(file, file.candidates.find(({ heads }) => isHead(heads)) ?? likelyHead(file), maxRows)
}

const headAndSample = ({ heads, rows }: CsvTable): { heads: string[]; sample: string[][] } => ({
  heads,
  sample: rows.slice(0, 5).map(({ cells }) => cells),
})

/** `mapping_needed` where columns of a known layout, or one sent, do not tell enough. */
export const columnsNeeded = (table: CsvTable, guess: Record<string, string>, why: string): Refusal =>
  new Refusal('mapping_needed', `${why}. Match the columns of this file.`, {
    extra: { ...headAndSample(table), guess },
  })

type Guessed = { guess: Record<string, string>; isWhole: boolean }

/** `mapping_needed` for a layout not seen before; a guess is shown for a look. */
export const unknownLayout = (table: CsvTable, { guess, isWhole }: Guessed): Refusal => {
  const extra = headAndSample(table)
  if (Object.keys(guess).length === 0)
    return new Refusal('mapping_needed', 'Match the columns of this file', { extra })
  const next = isWhole ? 'Check them, then upload' : 'Choose the others, then upload'
  return new Refusal('mapping_needed', `We guessed columns from the headings and first rows. ${next}.`, {
    extra: { ...extra, guess },
  })
}

const tooManyRows = (most: number) =>
  uploadRefusal('too_many_rows', `A file can have at most ${most.toLocaleString('en')} rows`)

const openQuote = (row: number) =>
  uploadRefusal(
    'upload_malformed',
    `A quote opens in row ${row} and does not close there. Close it or take it out.`,
  )

const refuseProblem = ({ row, problem }: CsvRecord): void => {
  if (problem === 'open-quote') throw openQuote(row)
  if (problem === 'too-long')
    throw uploadRefusal(
      'upload_malformed',
      `Row ${row} has more than 128 KiB or 1,000 cells. Is a quote left open?`,
    )
}

const lineEnds = /\r\n|\n|\r/

/** An unclosed quote may close at a stray one rows below: the cell then holds row ends and as many separators as rows. */
const refuseSwallowedRows = ({ row, cells }: CsvRecord, { heads, separator }: CsvHead): void => {
  for (const [index, cell] of cells.entries()) {
    const lines = cell.split(lineEnds).map((line) => line.split(separator))
    if (lines.length === 1) continue
    const isPartOfRow = (line: readonly string[], at: number) => {
      if (at === 0) return line.length === heads.length - index
      return line.length === (at === lines.length - 1 ? index + 1 : heads.length)
    }
    const hasRows = lines.every(isPartOfRow) && lines.flat().some(holdsValue)
    if (hasRows || withoutPadding(cells, heads.length).length !== heads.length) throw openQuote(row)
  }
}

/** No database keeps NUL. */
const withoutNul = (cell: string): string => cell.replaceAll('\0', '\uFFFD')

const withoutPadding = (cells: string[], wanted: number): string[] =>
  cells.slice(wanted).every((cell) => cell === '') ? cells.slice(0, wanted) : cells

/** True when adjacent cells may be one split amount, as 1 and 250.00. */
const hasTornAmount = (cells: readonly string[]): boolean =>
  cells.some(
    (cell, index) => /^[^\d]{0,5}\d{1,3}$/.test(cell) && /^\d{2,3}(?!\d)/.test(cells[index + 1] ?? ''),
  )

const problemWith = (cells: readonly string[], wanted: number, isCut: boolean): string | null => {
  const text = cells.join()
  if (text.includes('\0') || (isCut && text.includes('\uFFFD')))
    return 'A character of this row cannot be read. Save the file as CSV UTF-8.'
  if (cells.length === wanted) return null
  return `This row has ${cells.length} cells and the headings have ${wanted}. Put quotes around what has the separator in it.`
}
