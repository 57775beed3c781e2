import type { Knex } from 'knex'
import type { Settlement } from '#contracts/settlements'
import { mayHold, withoutWords, type FamilyWords } from '#platform/names-in-texts'
import type { CountedRow } from '../receipts/receipt'

/** Stored result; amounts in kwacha as in replies. */
export type SettlementRecord = Pick<Settlement, 'id' | 'counts' | 'totals' | 'rows' | 'errors' | 'notes'> & {
  left_out: Settlement['leftOut']
  file_name: string
  uploaded_by: number
  uploaded_at: Date
}

export type SettlementListed = Omit<SettlementRecord, 'rows' | 'errors' | 'left_out' | 'notes'>

const storedSettlements = (knex: Knex) => knex('books.settlements')

export const insertSettlement = async (
  transaction: Knex.Transaction,
  { counts, totals, rows, errors, left_out, notes, ...settlement }: Omit<SettlementRecord, 'id'>,
): Promise<SettlementRecord> => {
  const json = Object.entries({ counts, totals, rows, errors, left_out, notes }).map(([name, value]) => [
    name,
    JSON.stringify(value),
  ])
  const [row] = await storedSettlements(transaction)
    .insert({ ...settlement, ...Object.fromEntries(json) })
    .returning('*')
  return row
}

export const latestSettlements = (knex: Knex, most: number): Promise<SettlementListed[]> =>
  storedSettlements(knex)
    .orderBy('id', 'desc')
    .limit(most)
    .select('id', 'file_name', 'uploaded_by', 'uploaded_at', 'counts', 'totals')

export const settlementById = async (knex: Knex, id: number): Promise<SettlementRecord | null> =>
  (await storedSettlements(knex).where({ id }).first()) ?? null

export const forgetInSettlements = async (knex: Knex, words: FamilyWords): Promise<void> => {
  const found: SettlementRecord[] = await mayHold(
    storedSettlements(knex),
    "file_name || ' ' || rows::text || ' ' || errors::text || ' ' || left_out::text",
    words,
  )
  for (const { id, file_name, rows, errors, left_out } of found)
    await storedSettlements(knex)
      .where({ id })
      .update({
        file_name: withoutWords(file_name, words),
        rows: JSON.stringify(
          rows.map(({ reference, ...row }) => ({
            ...row,
            reference: reference && withoutWords(reference, words),
          })),
        ),
        errors: JSON.stringify(
          errors.map(({ message, ...error }) => ({ ...error, message: withoutWords(message, words) })),
        ),
        left_out: JSON.stringify(
          left_out.map(({ reason, ...row }) => ({ ...row, reason: withoutWords(reason, words) })),
        ),
      })
}

export type CardReceipt = CountedRow & { attempt_id: string; at: Date }

const cardReceipts = (knex: Knex) =>
  knex<CardReceipt>('books.receipts')
    .where({ method: 'card' })
    .whereIn('kind', ['receipt', 'credit_note'])
    .whereNotNull('attempt_id')
    .orderBy('at')

/** An order's credit note belongs to its payment's receipt. */
export const receiptsOfPayments = (knex: Knex, attemptIds: readonly string[]): Promise<CardReceipt[]> =>
  cardReceipts(knex).where((of) => of.whereIn('id', [...attemptIds]).orWhereIn('receipt_id', [...attemptIds]))

/** `until` is exclusive. */
export const receiptsBetween = (knex: Knex, from: Date, until: Date): Promise<CardReceipt[]> =>
  cardReceipts(knex).where('at', '>=', from).where('at', '<', until)
