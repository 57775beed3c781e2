import { createReadStream } from 'node:fs'
import { CsvError, parse } from 'csv-parse'
import type { Head } from '../chain/chain.process'
import { hashColumn, numberColumn } from './export.commands'
import { refusal } from '../refusals'

const pieceSize = 1_000
const hexadecimal = /^[0-9a-f]{64}$/

export async function* earlierExport(path: string): AsyncGenerator<Head[]> {
  let piece: Head[] = []
  let found = 0
  try {
    for await (const line of linesOf(path)) {
      const number = Number(line[numberColumn])
      const hash = line[hashColumn] ?? ''
      if (!Number.isSafeInteger(number) || number < 1 || !hexadecimal.test(hash)) continue
      found += 1
      piece.push({ number, hash })
      if (piece.length < pieceSize) continue
      yield piece
      piece = []
    }
  } catch (error) {
    throw error instanceof CsvError ? refusal('not_an_export') : error
  }
  if (found === 0) throw refusal('not_an_export')
  if (piece.length > 0) yield piece
}

const linesOf = (path: string): AsyncIterable<Record<string, string | undefined>> => {
  const lines = parse({ bom: true, columns: true, relax_column_count: true })
  // `pipe` does not report a truncated file.
  createReadStream(path)
    .on('error', (error) => lines.destroy(error))
    .pipe(lines)
  return lines
}
