import { mostLeftOut } from '#contracts/csv'
import {
  settlementForm,
  settlementOf,
  settlements,
  uploadSettlement as uploadCall,
  type SettlementHead,
  type SettlementMapping,
  settlementStates,
  type Settlement,
} from '#contracts/settlements'
import { cutText } from '#kernel/cut-text'
import { kwachaFromNgwee } from '#kernel/money'
import { unmappedStatus } from '#kernel/parse-amount'
import { addDays, instantAt, schoolMoment } from '#kernel/school-time'
import { recordChanges } from '#platform/changes'
import { columnsNeeded, refuseOtherMoney, type CsvTable } from '#platform/csv-file'
import type { By } from '#platform/event-store/command-handler'
import { jsonField, maxUploadBody, receiveUpload } from '#platform/http/body'
import { replyJson } from '#platform/http/request'
import { rawRoute, route, withFeature, type Route } from '#platform/http/route'
import { parseInput } from '#platform/http/serve-route'
import { keepMapping, readMappedFile } from '#platform/kept-mappings'
import { inSlices } from '#platform/pacing'
import type { BooksNeeds } from '../ports'
import { refusal } from '../refusals'
import { directionNeeded, guessSettlement, unmappedType } from './guess-settlement.decide'
import {
  compareLines,
  daysCovered,
  missingThere,
  type CardMovement,
  type ComparedRow,
  readSettlement,
  totalsOf,
  type SettledLine,
} from './settlement.decide'
import {
  insertSettlement,
  latestSettlements,
  receiptsBetween,
  receiptsOfPayments,
  settlementById,
  type CardReceipt,
  type SettlementListed,
  type SettlementRecord,
} from './settlements.rows'

const finance = withFeature('history')
const maxListed = 100

export const settlementRoutes = (needs: BooksNeeds): Route[] => {
  const { knex } = needs.database
  const upload = uploadSettlement(needs)

  const heads = async (records: readonly SettlementListed[]) => {
    const names = await needs.identity.usernamesOf([...new Set(records.map((one) => one.uploaded_by))])
    return records.map(({ id, file_name, uploaded_at, uploaded_by, counts, totals }): SettlementHead => ({
      id,
      fileName: file_name,
      uploadedAt: uploaded_at.toISOString(),
      uploadedBy: names.get(uploaded_by) ?? `administrator ${uploaded_by}`,
      counts,
      totals,
    }))
  }
  const replyOf = async (record: SettlementRecord) => ({
    ...(await heads([record]))[0]!,
    rows: record.rows,
    errors: record.errors,
    leftOut: record.left_out.slice(0, mostLeftOut),
    leftOutCount: record.left_out.length,
    notes: record.notes,
  })

  return [
    rawRoute({
      method: uploadCall.method,
      path: uploadCall.path,
      access: finance,
      options: { maxBodyBytes: maxUploadBody },
      serve: async (context, { user, by }) => {
        const { bytes, fileName, fields } = await receiveUpload(context)
        const { mapping } = parseInput(settlementForm, jsonField(fields, 'mapping')) as {
          mapping?: SettlementMapping
        }
        const settlement = await upload({ bytes, fileName, mapping }, user.userId, by)
        replyJson(context, uploadCall.status, uploadCall.reply.parse(await replyOf(settlement)))
      },
    }),

    route(settlements, finance, async () => ({
      data: await heads(await latestSettlements(knex, maxListed)),
    })),

    route(settlementOf, finance, async ({ params }) => {
      const settlement = await settlementById(knex, params.id)
      if (!settlement) throw refusal('settlement_not_found')
      return replyOf(settlement)
    }),
  ]
}

type SettlementUpload = { bytes: Buffer; fileName: string; mapping?: SettlementMapping | undefined }

const kind = 'settlement'
const maxRows = 10_000

const uploadSettlement =
  (needs: BooksNeeds) =>
  async (upload: SettlementUpload, administrator: number, by: By): Promise<SettlementRecord> => {
    const { knex } = needs.database
    const { table, mapping } = await readingOf(needs, upload)
    const { settled, errors, leftOut, notes } = await inSlices(
      readSettlement(table, { mapping, zone: needs.zone, now: needs.now() }),
    )
    await needs.viewsInclude((await needs.eventStore.end()).position)
    const compared = await compare(needs, settled)
    const at = needs.now()
    return knex.transaction(async (transaction) => {
      if (upload.mapping) await keepMapping(transaction, { kind, heads: table.heads, mapping })
      const settlement = await insertSettlement(transaction, {
        file_name: cutText(upload.fileName, 200),
        uploaded_by: administrator,
        uploaded_at: at,
        counts: countsOf(compared),
        totals: inKwacha(totalsOf(settled)),
        rows: compared.map((row) => ({ ...row, ...inKwacha({ ours: row.ours, theirs: row.theirs }) })),
        errors,
        left_out: leftOut.map((one) => ({ ...one, ...inKwacha({ amount: one.amount }) })),
        notes,
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
  const { table, read: mapping } = await readMappedFile(knex, {
    kind,
    bytes,
    sent,
    maxRows,
    isHead: () => false,
    read: (_table, mapped) => mapped ?? null,
    guess: guessSettlement,
  })
  await refuseWithout(table, mapping)
  return { table, mapping }
}

/** Throws `mapping_needed` when an unmapped column marks rows as failed or going another way, and `other_currency`. */
const refuseWithout = async (table: CsvTable, mapping: SettlementMapping): Promise<void> => {
  refuseOtherMoney(table, mapping.gross ?? '', [mapping.fee, mapping.reserve, mapping.net])
  const ask = (guess: Partial<SettlementMapping>, why: string) =>
    columnsNeeded(table, { ...mapping, ...guess }, why)
  const status = mapping.status === undefined ? unmappedStatus(table, Object.values(mapping)) : null
  if (status !== null) throw ask({ status }, `Rows of this file say in ${status} that they failed`)
  const type = await inSlices(unmappedType(table, mapping))
  if (type !== null) throw ask({ type }, `The amounts of this file say another thing than ${type}`)
  const direction = await inSlices(directionNeeded(table, mapping))
  if (direction !== null)
    throw ask({ direction }, `The amounts do not say which way they went, but ${direction} does`)
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
