import { isUtf8 } from 'node:buffer'
import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { guessedHead, headsOf } from '#kernel/table-heads'
import { uploadRefusal } from './http/http-refusals'
import { inSlices } from './http/upload'

/** A line of a CSV file; `row` as a spreadsheet counts it. */
export type CsvLine = { row: number; cells: string[] }

// Several times what a line of any statement holds.
const longestLine = 128 * 1024
const looked = 20

const startsWith = (bytes: Buffer, ...start: number[]) => start.every((byte, index) => bytes[index] === byte)

const saveAsCsv = (what: string) => uploadRefusal('not_csv', `This is ${what}. Save it as CSV.`)

/** Refuses what is no text, by its first bytes: a name says nothing. */
const refuseOtherFiles = (bytes: Buffer): void => {
  const start = bytes.subarray(0, 1024).toString('latin1').trimStart().toLowerCase()
  if (startsWith(bytes, 0x50, 0x4b, 3, 4) || startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0))
    throw saveAsCsv('a spreadsheet')
  if (start.startsWith('%pdf')) throw saveAsCsv('a PDF')
  if (start.startsWith('{\\rtf') || /^(<\?xml|<!doctype|<html|<table)/.test(start))
    throw saveAsCsv('a spreadsheet or a page')
}

/** UTF-16 without a mark of its own has a zero beside every letter; null: it is none. */
const utf16Of = (bytes: Buffer): 'utf-16le' | 'utf-16be' | null => {
  if (startsWith(bytes, 0xff, 0xfe)) return 'utf-16le'
  if (startsWith(bytes, 0xfe, 0xff)) return 'utf-16be'
  const zeros = [0, 0]
  for (const [index, byte] of bytes.subarray(0, 400).entries()) if (byte === 0) zeros[index % 2]! += 1
  const few = Math.min(bytes.length, 400) / 8
  if (zeros[1]! > few) return 'utf-16le'
  return zeros[0]! > few ? 'utf-16be' : null
}

const textOf = (bytes: Buffer): string => {
  const encoding = utf16Of(bytes) ?? (isUtf8(bytes) ? 'utf-8' : 'windows-1252')
  const text = new TextDecoder(encoding).decode(bytes)
  if (text.includes('\0')) throw saveAsCsv('no text')
  return text
}

const delimiters = [',', ';', '\t', '|'] as const

/** What stands between the cells of the first lines most often, outside of quotes. */
const delimiterOf = (text: string): string => {
  const bare = text.slice(0, longestLine).replaceAll(/"[^"]*"/g, '')
  const lines = bare.split(/[\r\n]+/, looked)
  const count = (delimiter: string) => lines.reduce((sum, line) => sum + line.split(delimiter).length - 1, 0)
  return delimiters.reduce((best, next) => (count(next) > count(best) ? next : best))
}

/**
 * The lines of an uploaded CSV file that hold anything, with or without a mark of its encoding, in UTF-8, UTF-16 or
 * Windows' Latin, with commas, semicolons, tabs or bars. Refuses what is no CSV, and more than `mostLines`.
 */
export const readCsvFile = async (bytes: Buffer, mostLines: number): Promise<CsvLine[]> => {
  refuseOtherFiles(bytes)
  const text = textOf(bytes)
  // The parser counts what stands in cells, so a line of nothing but separators costs it seconds.
  if (text.length > longestLine && text.split(/[\r\n]/).some((line) => line.length > longestLine))
    throw uploadRefusal('upload_malformed', 'The file has a line of more than 128 KiB')
  const parser = Readable.from(inSlices(Buffer.from(text))).pipe(
    parse({
      delimiter: delimiterOf(text),
      info: true,
      max_record_size: longestLine,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
    }),
  )
  const lines: CsvLine[] = []
  try {
    for await (const { record, info } of parser) {
      const cells = (record as string[]).map((cell) => cell.trim())
      if (cells.every((cell) => cell === '')) continue
      if (lines.length === mostLines)
        throw uploadRefusal('too_many_rows', `A file can have at most ${mostLines.toLocaleString('en')} rows`)
      lines.push({ row: (info.records + info.empty_lines) as number, cells })
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const before = `The file cannot be read after row ${parser.info.records}: is a quote left open?`
    throw uploadRefusal('upload_malformed', before)
  }
  return lines
}

/** In how many of its first lines the head of a file is looked for. */
export const headWithin = 20
const sampleRows = 5

/** Those of the first lines that may be the head. */
export const headLines = (lines: readonly CsvLine[]): { index: number; heads: string[] }[] =>
  lines.slice(0, headWithin).map(({ cells }, index) => ({ index, heads: headsOf(cells) }))

/** What somebody is shown who is to say which column is which: the likely head, and the first rows below it. */
export const headAndSample = (lines: readonly CsvLine[]): { heads: string[]; sample: string[][] } => {
  const index = Math.max(0, guessedHead(lines.slice(0, headWithin).map(({ cells }) => cells)))
  const heads = headsOf(lines[index]?.cells ?? [])
  const below = lines.slice(index + 1, index + 1 + sampleRows)
  return { heads, sample: below.map(({ cells }) => cells.slice(0, heads.length)) }
}
