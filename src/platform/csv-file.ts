import { headersOf, holdsValue, indexOfHead, isHeaderLine, likeliestHeader } from '#kernel/csv-headers'
import { cutText } from '#kernel/cut-text'
import { isKwachaHead, moneyOfFile, moneyOfHead } from '#kernel/foreign-money'
import { Refusal } from '#kernel/refusal'
import {
  firstLines,
  firstRecords,
  longest,
  recordsOf,
  separators,
  type CsvRecord,
  type Separator,
} from './csv-records'
import { uploadedText, type UploadedText } from './http/body'
import { uploadRefusal } from './http/request'
import { paced } from './pacing'

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

/** `tooLong`: a heading that no file may have; it is cut. */
export type CsvHead = { row: number; heads: string[]; separator: Separator; tooLong?: number }

type CsvFile = UploadedText & {
  separator: Separator
  candidates: readonly CsvHead[]
  likely: CsvHead | null
}

/** `rows` have one cell per heading; `errors` are rows that do not fit; `above`: lines above the headings; `notes`: what its reader should know. */
export type CsvTable = CsvHead & {
  rows: CsvLine[]
  errors: (CsvLine & { message: string })[]
  above: string[]
  notes: string[]
}

const headWithin = 20

/** Detects encoding (BOM, UTF-8, UTF-16, Windows Latin) and separator (comma, semicolon, tab, bar, or `sep=;`). Refuses what is no CSV. */
export const openCsvFile = (bytes: Buffer): CsvFile => {
  const { text: whole, ...rest } = uploadedText(bytes)
  const [line = '', told] = /^"?sep=([,;|\t])"?[\t ]*(?=[\r\n])/i.exec(whole) ?? []
  // Keeps an empty line so that row numbers match the file.
  const text = whole.slice(line.length)
  const { sample, rowsAbove } = firstLines(text)
  const separators = told ? [told as Separator] : likelySeparators(sample)
  const candidates = separators.flatMap((separator) => {
    const first = sampleOf(sample, separator)
    const lines = first.slice(0, headWithin)
    return lines
      .flatMap((line, at) => [line, joinedHeads(lines[at - 1], line) ?? []].flat())
      .filter(({ cells }) => isHeaderLine(cells))
      .map((record) => headOf(record, first, { separator, rowsAbove }))
  })
  const separator = separators[0]!
  const lines = sampleOf(sample, separator)
  const likely = likeliestHeader(
    candidates.filter((head) => head.separator === separator),
    lines.map((line) => ({ ...line, row: line.row + rowsAbove })),
  )
  return { ...rest, text, separator, candidates, likely }
}

const sampleOf = (sample: string, separator: Separator): CsvRecord[] =>
  firstRecords(sample, separator, 500).map((record) => ({
    ...record,
    cells: record.cells.map((cell) => cell.slice(0, longest.heading + 1)),
  }))

const cellOf = ({ cells }: CsvRecord, at: number): string => cells[at] ?? ''

/** Headings in two lines, as `Amount` over `Debit` and `Credit`: the lower line names what the upper one leaves empty. Null for others. */
const joinedHeads = (upper: CsvRecord | undefined, lower: CsvRecord): CsvRecord | null => {
  if (!upper || !isHeaderLine(upper.cells)) return null
  const places = Array.from({ length: Math.max(upper.cells.length, lower.cells.length) }, (_, at) => at)
  const isBelow = (at: number) => cellOf(lower, at) !== ''
  const isAbove = (at: number) => cellOf(upper, at) !== ''
  const isNewBelow = (at: number) => isBelow(at) && !isAbove(at)
  const isOne =
    places.some(isNewBelow) &&
    places.some((at) => isAbove(at) && !isBelow(at)) &&
    places.every((at) => !(isAbove(at) && isBelow(at)) || isNewBelow(at + 1))
  if (!isOne) return null
  let group = ''
  const cells = places.map((at) => {
    if (isAbove(at) || !isBelow(at)) group = cellOf(upper, at)
    return `${group} ${cellOf(lower, at)}`.trim()
  })
  return { ...lower, cells }
}

/** An empty heading at the end counts where rows fill its column. */
const headOf = (
  { row, cells }: CsvRecord,
  first: readonly CsvRecord[],
  { separator, rowsAbove }: { separator: Separator; rowsAbove: number },
): CsvHead => {
  const named = headersOf(cells).length
  const isFilled = first.some(
    (one) =>
      one.row > row &&
      one.cells.length === cells.length &&
      one.cells[named] !== '' &&
      !isTornAt(one.cells, named),
  )
  const count = cells.length === named + 1 && isFilled ? cells.length : named
  const tooLong = cells.findIndex((cell) => cell.length > longest.heading)
  const short = cells.map((cell) => (cell.length > longest.heading ? cell.slice(0, 40) : cell))
  const heads = headersOf(short, count)
  return { row: row + rowsAbove, heads, separator, ...(tooLong !== -1 && { tooLong }) }
}

/** Throws `no_headings`. */
export const likelyHead = ({ likely }: CsvFile): CsvHead => {
  if (likely) return likely
  throw uploadRefusal('no_headings', 'The file has no line of headings. Write one above the first row.')
}

/** Throws `too_many_rows` above `maxRows`, and `upload_malformed` for an unclosed quote, which would swallow rows silently. */
export const tableUnder = async (file: CsvFile, head: CsvHead, maxRows: number): Promise<CsvTable> => {
  refuseLongHeading(head)
  const notes = file.isLatin
    ? ['The file is not UTF-8 and was read as Western European: letters such as é, ł or я may be wrong']
    : []
  const table: CsvTable = { ...head, rows: [], errors: [], above: [], notes }
  const most = head.heads.map(longestUnder)
  const pace = paced()
  let read = 0
  let headCells = head.heads.length
  for (const record of recordsOf(file.text, head.separator)) {
    refuseProblem(record)
    if (record.row === head.row) headCells = record.cells.length
    if (record.row < head.row) table.above.push(cutText(record.cells.join(' '), longest.cell))
    if (record.row <= head.row) continue
    if (read === maxRows) throw tooManyRows(maxRows)
    read += 1
    refuseSwallowedRows(record, head)
    const cells = withoutPadding(record.cells, head.heads.length)
    const isPadded = record.cells.length <= headCells || !hasTornAmount(cells)
    const message =
      longCell(record.cells, head.heads, most) ??
      problemWith(isPadded ? cells : record.cells, head.heads, file.isCut)
    if (message === null) table.rows.push({ row: record.row, cells })
    else table.errors.push({ row: record.row, cells: record.cells.map(withoutNul), message })
    const turn = pace()
    if (turn) await turn
  }
  return table
}

const refuseLongHeading = ({ tooLong }: CsvHead): void => {
  if (tooLong !== undefined)
    throw uploadRefusal(
      'upload_malformed',
      `The heading of column ${tooLong + 1} has more than ${longest.heading} letters. Shorten it.`,
    )
}

const notesHead = /note|comment|remark|descri|detail|narrat|message|ingredient|allerg|\btext\b/i

const longestUnder = (head: string): number => (notesHead.test(head) ? longest.notes : longest.cell)

const longCell = (
  cells: readonly string[],
  heads: readonly string[],
  most: readonly number[],
): string | null => {
  const place = cells.findIndex((cell, at) => cell.length > (most[at] ?? longest.cell))
  if (place === -1) return null
  return `The cell under ${heads[place] ?? `column ${place + 1}`} has more than ${most[place] ?? longest.cell} letters`
}

/** Throws `other_currency` where the amounts under `head`, or the whole file, are not kwacha, or one of the `others` is not. */
export const refuseOtherMoney = (
  { above, heads, rows }: CsvTable,
  head: string,
  others: readonly (string | null | undefined)[] = [],
): void => {
  const place = indexOfHead(heads, head)
  const units = rows.map(({ cells }) => cells[place] ?? '').filter((cell) => cell !== '' && !/\d/.test(cell))
  const money = moneyOfFile({ above, head, units })
  if (money !== null) throw uploadRefusal('other_currency', `This file is in ${money}.`)
  for (const other of others) {
    const named = moneyOfHead(other ?? '')
    if (named === null) continue
    const what = isKwachaHead(head) ? `${other} is in ${named}. Leave it out` : `This file is in ${named}`
    throw uploadRefusal('other_currency', `${what}.`)
  }
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
export const columnsNeeded = (table: CsvTable, guess: Columns, why: string): Refusal =>
  new Refusal('mapping_needed', `${why}. Match the columns of this file.`, {
    extra: { ...headAndSample(table), guess },
  })

type Columns = Record<string, string | null | undefined>
export type Guessed = { guess: Columns; isWhole: boolean }

/** `mapping_needed` for a layout not seen before; a guess is shown for a look. */
export const unknownLayout = (table: CsvTable, { guess, isWhole }: Guessed): Refusal => {
  const extra = headAndSample(table)
  if (Object.keys(guess).length === 0)
    return new Refusal('mapping_needed', 'Match the columns of this file', { extra })
  const next = isWhole ? 'Check them, then go on' : 'Choose the others, then go on'
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
    if (!/[\r\n]/.test(cell)) continue
    const lines = cell.split(lineEnds).map((line) => line.split(separator))
    const isPartOfRow = (line: readonly string[], at: number) => {
      if (at === 0) return line.length === heads.length - index
      return line.length === (at === lines.length - 1 ? index + 1 : heads.length)
    }
    // A line end inside a cell is no fault of its row unless values follow it.
    const isWhole = withoutPadding(cells, heads.length).length === heads.length
    const isWholeRow = (line: readonly string[]) => line.length === heads.length && line.some(holdsValue)
    if (cell.length > longest.notes && lines.slice(1, -1).some(isWholeRow)) throw openQuote(row)
    if (lines.flat().some(holdsValue) && (lines.every(isPartOfRow) || !isWhole)) throw openQuote(row)
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

/** The same where the first cell behind the named ones has no heading. */
const isTornAt = (cells: readonly string[], named: number): boolean =>
  hasTornAmount(cells.slice(named - 1, named + 1))

const problemWith = (cells: readonly string[], heads: readonly string[], isCut: boolean): string | null => {
  const wanted = heads.length
  const text = cells.join()
  if (text.includes('\0') || (isCut && text.includes('\uFFFD')))
    return 'A character of this row cannot be read. Save the file as CSV UTF-8.'
  const isTorn = /^Column \d+$/.test(heads.at(-1) ?? '') && isTornAt(cells, wanted - 1)
  if (cells.length === wanted && !isTorn) return null
  return `This row has ${cells.length} cells and the headings have ${wanted}. Put quotes around what has the separator in it.`
}
