import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import type { ReplyOf } from '#contracts/endpoint'
import type { StatementMapping, uploadStatement as uploadCall } from '#contracts/transfers'
import { hasHeader, headersKey } from '#kernel/csv-headers'
import { unmappedStatus } from '#kernel/parse-amount'
import { recordChanges } from '#platform/changes'
import {
  columnsNeeded,
  unknownLayout,
  likelyHead,
  openCsvFile,
  tableUnder,
  type CsvHead,
  type CsvTable,
} from '#platform/csv-file'
import type { By } from '#platform/event-store/command-handler'
import { inSlices } from '#platform/pacing'
import type { TransfersNeeds } from '../ports'
import { refusal } from '../refusals'
import type { TransferMethod } from '../confirmations/events'
import { comparedTransactionId } from '../confirmations/transfers.view'
import { guessMapping } from './guess-mapping.decide'
import { unmappedDirection, recognisedLayout } from './layouts.decide'
import { readStatement, type ReadStatement } from './statement-file.decide'
import { insertRows, rowsByIds, withIds, type Layout } from './statement-rows.rows'
import { isSamePayment, type IncomingRow } from './statement-row'
import { insertStatement, storeMapping, storedMappings, type StoredMapping } from './statements.rows'

export type StatementUpload = {
  bytes: Buffer
  fileName: string
  source: string
  mapping?: StatementMapping | undefined
}

type Reading = {
  head: CsvHead
  columns: StatementMapping
  types: readonly string[]
  layout: Layout
  kept: StoredMapping | null
}

const maxRows = 10_000

/** Adds new incoming payments. Throws `mapping_needed` (heads and sample) for an unknown layout, and `own_account_unclear`. */
export const uploadStatement = async (
  { database: { knex }, payments, now, zone }: TransfersNeeds,
  upload: StatementUpload,
  user: { userId: number },
  by: By,
): Promise<ReplyOf<typeof uploadCall>> => {
  const { table, reading } = await openStatement(knex, upload)
  const { columns, layout } = reading
  const { airtelMoney, mtnMoney } = await payments.alternativeSettings()
  const ownNumbers = [airtelMoney.number, mtnMoney.number].filter((number) => number !== '')
  const at = now()
  const idKey = comparedTransactionId
  const read = await inSlices(readStatement(table, { columns, ownNumbers, idKey, zone, now: at }))
  if (read.doubt) throw doubtful(read.doubt, table, columns)
  const { source, fileName } = upload
  const { id, added, differing } = await knex.transaction(async (transaction) => {
    const method = await methodOf(transaction, reading)
    const record = { source, file_name: fileName.slice(0, 200), uploaded_by: user.userId, uploaded_at: at }
    const id = await insertStatement(transaction, record)
    const payments = withIds(layout, read.incoming)
    const added = await insertRows(transaction, { statementId: id, method }, payments)
    const differing = await differingFromKnown(transaction, payments, new Set(added))
    const count = payments.length - differing.length
    const what = `Statement ${id} uploaded: ${count} incoming payments, ${added.length} of them new`
    await recordChanges(transaction, { ...by, at }, [{ kind: 'settings', what, old: null, new: null }])
    return { id, added, differing }
  })
  const moneyIn = read.incoming.length - differing.length
  const errors = [...read.errors, ...differing].toSorted((one, other) => one.row - other.row)
  return { id, source, rows: read.rows, moneyIn, new: added.length, known: moneyIn - added.length, errors }
}

/** Known ids with other facts: they would be lost as duplicates. */
const differingFromKnown = async (
  transaction: Knex.Transaction,
  payments: readonly (IncomingRow & { id: string })[],
  added: ReadonlySet<string>,
): Promise<{ row: number; message: string }[]> => {
  const known = payments.filter(({ id, transactionId }) => transactionId !== null && !added.has(id))
  const rows = await rowsByIds(
    transaction,
    known.map(({ id }) => id),
  )
  const stored = new Map(rows.map((row) => [row.id, row]))
  return known.flatMap((payment) => {
    const { id, row, transactionId } = payment
    const earlier = stored.get(id)!
    if (isSamePayment(earlier, payment)) return []
    const message = `Statement ${earlier.statementId} has the transaction id ${transactionId} with another amount, payer or time than row ${row}`
    return [{ row, message }]
  })
}

const openStatement = async (
  knex: Knex,
  upload: StatementUpload,
): Promise<{ table: CsvTable; reading: Reading }> => {
  const file = openCsvFile(upload.bytes)
  const layouts = new Set(file.candidates.map(({ heads }) => layoutOf(heads)))
  const reading = readingOf(file.candidates, upload, await storedMappings(knex, [...layouts]))
  const table = await tableUnder(file, reading?.head ?? likelyHead(file), maxRows)
  if (reading === null) throw unknownLayout(table, guessMapping(table))
  const status = reading.columns.status ? null : unmappedStatus(table, Object.values(reading.columns))
  if (status !== null)
    throw columnsNeeded(
      table,
      { ...reading.columns, status },
      `Rows of this file say in ${status} that they failed`,
    )
  const direction = unmappedDirection(table, reading)
  if (direction === null) return { table, reading }
  const columns = { ...reading.columns, direction }
  if (reading.kept)
    throw columnsNeeded(table, columns, `The amounts do not say which way they went, but ${direction} does`)
  return { table, reading: { ...reading, columns } }
}

const doubtful = (
  doubt: NonNullable<ReadStatement['doubt']>,
  table: CsvTable,
  { transactionId, ...others }: StatementMapping,
) => {
  if (doubt.about === 'own account') return refusal('own_account_unclear')
  return columnsNeeded(table, others, `${transactionId} is no column of transaction ids: ${doubt.why}`)
}

const layoutOf = (heads: readonly string[]): Layout =>
  `csv-${createHash('sha256').update(headersKey(heads)).digest('hex').slice(0, 32)}`

const readingOf = (
  candidates: readonly CsvHead[],
  { mapping, source }: StatementUpload,
  known: readonly StoredMapping[],
): Reading | null => {
  for (const head of candidates) {
    const layout = layoutOf(head.heads)
    const recognised = recognisedLayout(head.heads, source)
    const kept = mapping
      ? { layout, mapping, method: methodNamed(source) }
      : known.find((one) => one.layout === layout)
    const columns = kept?.mapping ?? recognised?.columns
    if (columns && Object.values(columns).every((name) => hasHeader(head.heads, name)))
      return {
        head,
        columns,
        types: recognised?.types ?? [],
        layout: recognised?.name ?? layout,
        kept: kept ? { ...kept, layout } : null,
      }
  }
  return null
}

const methodNamed = (source: string): TransferMethod => {
  const name = source.toLowerCase()
  return name === 'airtel' || name === 'mtn' || name === 'bank' || name === 'cash' ? name : 'other'
}

const methodOf = async (
  transaction: Parameters<typeof storeMapping>[0],
  { head, layout, kept }: Reading,
): Promise<TransferMethod> => {
  const method = kept ? await storeMapping(transaction, head.heads, kept) : null
  return layout === 'airtel' || layout === 'mtn' ? layout : (method ?? 'other')
}
