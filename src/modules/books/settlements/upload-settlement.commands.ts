import { settlementStates, type Settlement, type SettlementMapping } from '#contracts/settlements'
import { kwachaFromNgwee } from '#kernel/money'
import { addDays, instantAt, schoolMoment } from '#kernel/school-time'
import { hasHeader, headersKey } from '#kernel/csv-headers'
import { Refusal } from '#kernel/refusal'
import { unmappedStatus } from '#kernel/parse-amount'
import { recordChanges } from '#platform/changes'
import { headAndSample, likelyHead, openCsvFile, tableUnder, type CsvTable } from '#platform/csv-file'
import type { By } from '#platform/event-store/command-handler'
import type { BooksNeeds } from '../needs'
import { refusal } from '../refusals'
import {
  compareLines,
  daysCovered,
  missingThere,
  type CardMovement,
  type ComparedRow,
} from './settlement.decide'
import { readSettlement, totalsOf, unmappedType, type SettledLine } from './settlement-file.decide'
import {
  insertSettlement,
  keepMapping,
  keptMappings,
  receiptsBetween,
  receiptsOfPayments,
  type CardReceipt,
  type SettlementRecord,
} from './settlements.rows'

type SettlementUpload = { bytes: Buffer; fileName: string; mapping?: SettlementMapping | undefined }

const maxRows = 10_000

export const uploadSettlement =
  (needs: BooksNeeds) =>
  async (upload: SettlementUpload, administrator: number, by: By): Promise<SettlementRecord> => {
    const { knex } = needs.database
    const { table, mapping } = await readingOf(needs, upload)
    const { settled, errors } = readSettlement(table, { mapping, zone: needs.zone, now: needs.now() })
    await needs.waitForViews((await needs.eventStore.end()).position)
    const compared = await compare(needs, settled)
    const at = needs.now()
    return knex.transaction(async (transaction) => {
      if (upload.mapping) await keepMapping(transaction, table.heads, mapping)
      const settlement = await insertSettlement(transaction, {
        file_name: upload.fileName.slice(0, 200),
        uploaded_by: administrator,
        uploaded_at: at,
        counts: countsOf(compared),
        totals: inKwacha(totalsOf(settled)),
        rows: compared.map((row) => ({ ...row, ...inKwacha({ ours: row.ours, theirs: row.theirs }) })),
        errors,
      })
      const { id, counts, totals } = settlement
      const what = `Settlement ${id} of the card provider compared`
      await recordChanges(transaction, { ...by, at }, [
        { kind: 'settings', what, old: null, new: { counts, totals } },
      ])
      return settlement
    })
  }

const readingOf = async ({ database: { knex } }: BooksNeeds, { bytes, mapping: sent }: SettlementUpload) => {
  const file = openCsvFile(bytes)
  const kept = await keptMappings(
    knex,
    file.candidates.map(({ heads }) => heads),
  )
  for (const head of file.candidates) {
    const mapping = sent ?? kept.get(headersKey(head.heads))
    if (mapping && Object.values(mapping).every((name) => hasHeader(head.heads, name)))
      return { table: withAll(await tableUnder(file, head, maxRows), mapping), mapping }
  }
  const table = await tableUnder(file, likelyHead(file), maxRows)
  throw refusal('mapping_needed', { extra: headAndSample(table) })
}

/** Throws `mapping_needed` when an unmapped column marks rows as failed or going another way. */
const withAll = (table: CsvTable, mapping: SettlementMapping): CsvTable => {
  const ask = (guess: Partial<SettlementMapping>, why: string) =>
    new Refusal('mapping_needed', `${why}. Match the columns of this file.`, {
      extra: { ...headAndSample(table), guess: { ...mapping, ...guess } },
    })
  const status = mapping.status ? null : unmappedStatus(table, Object.values(mapping))
  if (status !== null) throw ask({ status }, `Rows of this file say in ${status} that they failed`)
  const type = unmappedType(table, mapping)
  if (type !== null) throw ask({ type }, `The amounts of this file say another thing than ${type}`)
  return table
}

const compare = async (needs: BooksNeeds, settled: readonly SettledLine[]): Promise<ComparedRow[]> => {
  const { database, payments, zone } = needs
  const { knex } = database
  const names = settled.flatMap((line) => [line.token ?? '', line.transRef ?? '', line.companyRef ?? ''])
  const named = await payments.cardNames({ attemptIds: [], names })
  const receipts = await receiptsOfPayments(
    knex,
    named.map(({ attemptId }) => attemptId),
  )
  const { rows, found } = compareLines(settled, {
    payments: named,
    movements: await movementsOf(needs, receipts),
  })
  const days = daysCovered(settled, found)
  if (days === null) return rows
  const dayStart = (date: string) => instantAt(date, 0, 0, zone)
  const ofDays = await receiptsBetween(knex, dayStart(days.from), dayStart(addDays(days.to, 1)))
  const attemptIds = [...new Set(ofDays.map((receipt) => receipt.attempt_id))]
  const ours = {
    payments: await payments.cardNames({ attemptIds, names: [] }),
    movements: await movementsOf(needs, ofDays),
  }
  return [...rows, ...missingThere(ours, found)]
}

const movementsOf = async (
  { refunds, zone }: BooksNeeds,
  receipts: readonly CardReceipt[],
): Promise<CardMovement[]> => {
  const movements: CardMovement[] = []
  for (const { id, kind, refund_id: refundId, attempt_id: attemptId, amount, at } of receipts) {
    if (refundId !== null && (await refunds.paidBack(refundId, id))?.method !== 'card') continue
    const type = kind === 'receipt' ? 'payment' : 'refund'
    movements.push({ id, attemptId, type, amount, date: schoolMoment(at, zone).date })
  }
  return movements
}

const countsOf = (rows: readonly ComparedRow[]): Settlement['counts'] =>
  Object.fromEntries(
    settlementStates.map((state) => [state, rows.filter((row) => row.state === state).length]),
  ) as Settlement['counts']

const inKwacha = <Amounts extends Record<string, number | null>>(amounts: Amounts): Amounts =>
  Object.fromEntries(
    Object.entries(amounts).map(([name, amount]) => [name, amount === null ? null : kwachaFromNgwee(amount)]),
  ) as Amounts
