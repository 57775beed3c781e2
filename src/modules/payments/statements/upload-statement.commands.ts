import { createHash } from 'node:crypto'
import type { ReplyOf } from '#contracts/endpoint'
import type { StatementMapping, uploadStatement as uploadCall } from '#contracts/statements'
import { hasHead, headsKey } from '#kernel/table-heads'
import { recordChanges } from '#platform/changes'
import { headAndSample, headLines, headWithin, readCsvFile, type CsvLine } from '#platform/csv-file'
import type { By } from '#platform/event-store/command-handler'
import { uploadRefusal } from '#platform/http/http-refusals'
import type { PaymentsNeeds } from '../needs'
import { refusal } from '../refusals'
import type { TransferMethod } from '../transfers/events'
import { recognisedLayout, type Columns } from './layouts.decide'
import { readStatement } from './statement-file.decide'
import { insertRows, withIds, type Layout } from './statement-rows.rows'
import { insertStatement, keepMapping, keptMappings, type KeptMapping } from './statements.rows'

type UploadNeeds = Pick<PaymentsNeeds, 'database' | 'now' | 'zone'>

/** What was uploaded: `mapping` is what somebody said on screen about this very file. */
export type StatementUpload = {
  bytes: Buffer
  fileName: string
  source: string
  mapping?: StatementMapping | undefined
}

/** How a file is read, and where its head stands among its lines. */
type Reading = { index: number; heads: string[]; columns: Columns; layout: Layout; kept: KeptMapping | null }

const mostRows = 10_000

/**
 * Adds the incoming payments of a statement that are new. A file that is neither Airtel's nor MTN's nor mapped before is
 * refused as `mapping_needed`, with its heads and first rows.
 */
export const uploadStatement = async (
  { database: { knex }, now, zone }: UploadNeeds,
  upload: StatementUpload,
  user: { userId: number },
  by: By,
): Promise<ReplyOf<typeof uploadCall>> => {
  const lines = await readCsvFile(upload.bytes, mostRows + headWithin)
  const known = await keptMappings(
    knex,
    headLines(lines).map(({ heads }) => layoutOf(heads)),
  )
  const reading = readingOf(lines, upload, known)
  if (reading === null) throw refusal('mapping_needed', { extra: headAndSample(lines) })
  const { heads, columns, layout } = reading
  const below = lines.slice(reading.index + 1)
  if (below.length > mostRows)
    throw uploadRefusal('too_many_rows', `A file can have at most ${mostRows.toLocaleString('en')} rows`)
  const { rows, incoming, errors } = readStatement(below, { heads, columns, zone })
  const { source, fileName } = upload
  const at = now()
  const { id, added } = await knex.transaction(async (transaction) => {
    const method = await methodOf(transaction, reading)
    const record = { source, file_name: fileName.slice(0, 200), uploaded_by: user.userId, uploaded_at: at }
    const id = await insertStatement(transaction, record)
    const added = await insertRows(transaction, { statementId: id, method }, withIds(layout, incoming))
    const what = `Statement ${id} uploaded: ${incoming.length} incoming payments, ${added} of them new`
    await recordChanges(transaction, { ...by, at }, [{ kind: 'settings', what, old: null, new: null }])
    return { id, added }
  })
  return { id, source, rows, moneyIn: incoming.length, new: added, known: incoming.length - added, errors }
}

/** A layout that is one by its heads alone. */
const layoutOf = (heads: readonly string[]): Layout =>
  `csv-${createHash('sha256').update(headsKey(heads)).digest('hex').slice(0, 32)}`

/** By the mapping that was sent, one kept for these heads, or as Airtel's or MTN's; null: nobody knows how. */
const readingOf = (
  lines: readonly CsvLine[],
  { mapping, source }: StatementUpload,
  known: readonly KeptMapping[],
): Reading | null => {
  for (const { index, heads } of headLines(lines)) {
    const layout = layoutOf(heads)
    const recognised = recognisedLayout(heads)
    const kept = mapping
      ? { layout, mapping, method: methodNamed(source) }
      : known.find((one) => one.layout === layout)
    const columns = kept?.mapping ?? recognised?.columns
    if (columns && Object.values(columns).every((head) => hasHead(heads, head)))
      return {
        index,
        heads,
        columns,
        layout: recognised?.name ?? layout,
        kept: kept ? { ...kept, layout } : null,
      }
  }
  return null
}

const methodNamed = (source: string): TransferMethod => {
  const name = source.toLowerCase()
  return name === 'airtel' || name === 'mtn' || name === 'bank' ? name : 'other'
}

/** How the payments of the file came in; a mapping that was used is kept. */
const methodOf = async (
  transaction: Parameters<typeof keepMapping>[0],
  { heads, layout, kept }: Reading,
): Promise<TransferMethod> => {
  const method = kept ? await keepMapping(transaction, heads, kept) : null
  return layout === 'airtel' || layout === 'mtn' ? layout : (method ?? 'other')
}
