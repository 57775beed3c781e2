import type { Knex } from 'knex'
import { hasHeader, headersKey } from '#kernel/csv-headers'
import {
  likelyHead,
  openCsvFile,
  tableUnder,
  unknownLayout,
  type CsvHead,
  type CsvTable,
  type Guessed,
} from './csv-file'
import { inSlices } from './pacing'

/** Head by column; null where somebody said that the file has none. */
type Mapping = Record<string, string | null | undefined>

const mappings = (knex: Knex) => knex('platform.file_mappings')

/** The first line of headings that has all heads of the mapping sent, or else of one kept for files of this kind. Null for none. */
const mappedHead = async <Known extends Mapping>(
  knex: Knex,
  { kind, candidates, sent }: { kind: string; candidates: readonly CsvHead[]; sent?: Known | undefined },
): Promise<{ head: CsvHead; mapping: Known } | null> => {
  const rows: { heads: string; mapping: Known }[] = await mappings(knex)
    .where({ kind })
    .whereIn(
      'heads',
      candidates.map(({ heads }) => headersKey(heads)),
    )
    .select('heads', 'mapping')
  const kept = new Map(rows.map((row) => [row.heads, row.mapping]))
  for (const head of candidates) {
    const mapping = sent ?? kept.get(headersKey(head.heads))
    if (mapping && Object.values(mapping).every((name) => !name || hasHeader(head.heads, name)))
      return { head, mapping }
  }
  return null
}

type MappedFile<Known, Read> = {
  kind: string
  bytes: Buffer
  sent: Known | undefined
  maxRows: number
  /** Whether these headings are known without a mapping. */
  isHead: (heads: readonly string[]) => boolean
  /** Null where the columns do not tell enough. */
  read: (table: CsvTable, mapping: Known | undefined) => Read | null
  guess: (table: CsvTable) => Generator<undefined, Guessed>
}

/** By the mapping sent, a kept one or known headings. Throws `mapping_needed`. */
export const readMappedFile = async <Known extends Mapping, Read>(
  knex: Knex,
  { kind, bytes, sent, maxRows, isHead, read, guess }: MappedFile<Known, Read>,
): Promise<{ table: CsvTable; read: Read }> => {
  const csv = openCsvFile(bytes)
  const mapped = await mappedHead(knex, { kind, candidates: csv.candidates, sent })
  const known = csv.candidates.find(({ heads }) => isHead(heads))
  const table = await tableUnder(csv, mapped?.head ?? known ?? likelyHead(csv), maxRows)
  const found = sent && !mapped ? null : read(table, mapped?.mapping)
  if (found === null) throw unknownLayout(table, await inSlices(guess(table)))
  return { table, read: found }
}

export const keepMapping = async (
  knex: Knex,
  { kind, heads, mapping }: { kind: string; heads: readonly string[]; mapping: Mapping },
): Promise<void> => {
  await mappings(knex)
    .insert({ kind, heads: headersKey(heads), mapping: JSON.stringify(mapping) })
    .onConflict(['kind', 'heads'])
    .merge(['mapping'])
}
