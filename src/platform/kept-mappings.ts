import type { Knex } from 'knex'
import { hasHeader, headersKey } from '#kernel/csv-headers'
import type { CsvHead } from './csv-file'

/** Head by column; null where somebody said that the file has none. */
type Mapping = Record<string, string | null | undefined>

const mappings = (knex: Knex) => knex('platform.file_mappings')

/** The first line of headings that has all heads of the mapping sent, or else of one kept for files of this kind. Null for none. */
export const mappedHead = async <Known extends Mapping>(
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

export const keepMapping = async (
  knex: Knex,
  { kind, heads, mapping }: { kind: string; heads: readonly string[]; mapping: Mapping },
): Promise<void> => {
  await mappings(knex)
    .insert({ kind, heads: headersKey(heads), mapping: JSON.stringify(mapping) })
    .onConflict(['kind', 'heads'])
    .merge(['mapping'])
}
