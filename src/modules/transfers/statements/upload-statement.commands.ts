import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import { mostLeftOut } from '#contracts/csv'
import type { ReplyOf } from '#contracts/endpoint'
import type { StatementMapping, uploadStatement as uploadCall } from '#contracts/transfers'
import { headersKey, indexOfHead } from '#kernel/csv-headers'
import { cutText } from '#kernel/cut-text'
import { kwachaFromNgwee, sum, type Ngwee } from '#kernel/money'
import { unmappedStatus } from '#kernel/parse-amount'
import { recordChanges } from '#platform/changes'
import {
  columnsNeeded,
  unknownLayout,
  likelyHead,
  openCsvFile,
  refuseOtherMoney,
  tableUnder,
  type CsvHead,
  type CsvTable,
} from '#platform/csv-file'
import type { By } from '#platform/event-store/command-handler'
import { inSlices } from '#platform/pacing'
import type { TransferMethod } from '../events'
import type { TransfersNeeds } from '../ports'
import { refusal } from '../refusals'
import { comparedTransactionId } from '../transfers.view'
import { directionNeeded, guessMapping } from './guess-mapping.decide'
import { recognisedLayout } from './layouts.decide'
import { insertLeftOut, leftOutRowOf, rowKeysOf, type KeyedAside } from './left-out.rows'
import { readStatement, type ReadStatement, type RowAside } from './statement-file.decide'
import { isSamePayment, type IncomingRow } from './statement-row'
import { insertRows, keysCountedIn, rowsByIds, withIds, type Layout } from './statement-rows.rows'
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
  layout: Layout
  kept: StoredMapping | null
}

const maxRows = 10_000

/** Adds new incoming payments. Throws `mapping_needed` (heads and sample) for an unknown layout, and `own_account_unclear`. */
export const uploadStatement = async (
  needs: TransfersNeeds,
  upload: StatementUpload,
  user: { userId: number },
  by: By,
): Promise<ReplyOf<typeof uploadCall>> => {
  const { knex } = needs.database
  const { table, reading } = await openStatement(knex, upload)
  const read = await readTable(needs, table, reading)
  const { source, fileName } = upload
  const at = needs.now()
  const { id, added, differing, aside, isKnown } = await knex.transaction(async (transaction) => {
    const method = await methodOf(transaction, reading)
    const { layout } = reading
    const record = { source, file_name: cutText(fileName, 200), uploaded_by: user.userId, uploaded_at: at }
    const id = await insertStatement(transaction, { ...record, layout, method })
    const { payments, aside, countedIn } = await keyed(transaction, table, read, layout)
    const isKnown = ({ rowKey }: { rowKey: string }) => countedIn.has(rowKey)
    const fresh = payments.filter((payment) => !isKnown(payment))
    const added = await insertRows(transaction, { statementId: id, method }, fresh)
    await insertLeftOut(transaction, id, aside)
    const differing = await differingFromKnown(transaction, fresh, new Set(added))
    const count = payments.length - differing.length
    const what = `Statement ${id} uploaded: ${count} incoming payments, ${added.length} of them new, ${read.leftOut.length} rows left out`
    await recordChanges(transaction, { ...by, at }, [{ kind: 'settings', what, old: null, new: null }])
    return { id, added, differing, aside, isKnown }
  })
  const known = aside.filter(isKnown)
  const knownRows = new Set(known.map(({ row }) => row))
  const moneyIn = read.incoming.length - differing.length + known.length
  const isOpen = ({ row }: { row: number }) => !knownRows.has(row)
  const leftOut = read.leftOut.filter(isOpen)
  return {
    id,
    source,
    rows: read.rows,
    moneyIn,
    amountIn: kwachaFromNgwee(sumOf([...read.incoming, ...known], differing)),
    new: added.length,
    known: moneyIn - added.length,
    errors: [...read.errors.filter(isOpen), ...differing].toSorted((one, other) => one.row - other.row),
    ...leftOutReply(leftOut),
    proof: read.proof,
    notes: read.notes,
  }
}

const sumOf = (
  rows: readonly { row: number; amount: number | null }[],
  but: readonly { row: number }[],
): Ngwee => {
  const left = new Set(but.map(({ row }) => row))
  return sum(rows.map(({ row, amount }) => (left.has(row) ? 0 : (amount ?? 0))))
}

const leftOutReply = (rows: readonly RowAside[]) => ({
  leftOut: rows.slice(0, mostLeftOut).map(leftOutRowOf),
  leftOutCount: rows.length,
})

const readTable = async (
  { payments, now, zone }: TransfersNeeds,
  table: CsvTable,
  { columns, kept }: Reading,
): Promise<ReadStatement> => {
  const { airtelMoney, mtnMoney } = await payments.alternativeSettings()
  const ownNumbers = [airtelMoney.number, mtnMoney.number].filter((number) => number !== '')
  const reading = { columns, ownNumbers, idKey: comparedTransactionId, zone, now: now() }
  const read = await inSlices(readStatement(table, reading))
  const direction = kept && !read.isProven ? await inSlices(directionNeeded(table, columns)) : null
  if (direction !== null)
    throw columnsNeeded(
      table,
      { ...columns, direction },
      `The amounts do not say which way they went, but ${direction} does`,
    )
  if (read.doubt) throw doubtful(read.doubt, table, columns)
  return read
}

type Keyed<Row> = Row & { rowKey: string }

/** `countedIn`: rows of the file that somebody counted in by an upload before. */
const keyed = async (
  transaction: Knex.Transaction,
  table: CsvTable,
  read: ReadStatement,
  layout: Layout,
): Promise<{
  payments: Keyed<IncomingRow & { id: string }>[]
  aside: KeyedAside[]
  countedIn: ReadonlySet<string>
}> => {
  const keys = rowKeysOf(layout, table.rows)
  const withKey = <Row extends { row: number }>(row: Row): Keyed<Row> => ({
    ...row,
    rowKey: keys.get(row.row)!,
  })
  return {
    payments: withIds(layout, read.incoming).map(withKey),
    aside: [
      ...read.leftOut.map((one) => withKey({ ...one, isError: false })),
      ...read.unsure.map((one) => withKey({ ...one, isError: true })),
    ],
    countedIn: await keysCountedIn(transaction, [...keys.values()]),
  }
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
    const message = `Statement ${earlier.statementId} has the transaction id ${transactionId} with another amount, payer, phone, text or time than row ${row}`
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
  if (reading === null) throw unknownLayout(table, await inSlices(guessMapping(table)))
  const { columns } = reading
  refuseOtherMoney(table, columns.in ?? columns.amount ?? '', [columns.out, columns.balance])
  const status = columns.status === undefined ? unmappedStatus(table, Object.values(columns)) : null
  if (status !== null)
    throw columnsNeeded(table, { ...columns, status }, `Rows of this file say in ${status} that they failed`)
  return { table, reading }
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
    const columns = asInFile(head.heads, kept?.mapping ?? recognised?.columns)
    if (columns)
      return {
        head,
        columns,
        layout: recognised?.name ?? layout,
        kept: kept ? { ...kept, layout } : null,
      }
  }
  return null
}

/** The heads of a mapping as this file writes them; null where it lacks one. */
const asInFile = (
  heads: readonly string[],
  mapping: StatementMapping | undefined,
): StatementMapping | null => {
  if (!mapping) return null
  const found = Object.entries(mapping).map(([column, head]) => [
    column,
    head ? (heads[indexOfHead(heads, head)] ?? '') : head,
  ])
  return found.some(([, head]) => head === '') ? null : (Object.fromEntries(found) as StatementMapping)
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
