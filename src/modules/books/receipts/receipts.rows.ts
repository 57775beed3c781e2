import type { Knex } from 'knex'
import { receiptNumber, type CountedRow, type Numbered } from './receipt'

/** Null when there is none of that number. */
export const receiptOfNumber = async (
  knex: Knex,
  { kind, year, number }: { kind: Numbered; year: number; number: number },
): Promise<CountedRow | null> =>
  (await knex<CountedRow>('books.receipts').where({ kind, year, number }).first()) ?? null

/** What is counted under this id; null for nothing. */
export const receiptOfId = async (knex: Knex, id: string): Promise<CountedRow | null> =>
  (await knex<CountedRow>('books.receipts').where({ id, kind: 'receipt' }).first()) ?? null

/** The credit notes of a receipt, in the order of their numbers. */
export const creditNotesOf = (knex: Knex, receiptId: string): Promise<CountedRow[]> =>
  knex<CountedRow>('books.receipts')
    .where({ receipt_id: receiptId, kind: 'credit_note' })
    .orderBy(['year', 'number'])

/** Of these refunds those of which money went back, each with the number of its latest credit note. */
export const creditNotesOfRefunds = async (
  knex: Knex,
  refundIds: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const notes = await knex<CountedRow & { refund_id: string }>('books.receipts')
    .where({ kind: 'credit_note' })
    .whereIn('refund_id', [...refundIds])
    .orderBy(['year', 'number'])
  return new Map(notes.map((note) => [note.refund_id, receiptNumber(note)]))
}

const maxUntold = 500

/** The receipts of transfers of this time, the oldest first, with their families; `isUndone` tells those to be told. */
export const untoldReceipts = (
  knex: Knex,
  { from, until }: { from: Date; until: Date },
  isUndone: string,
): Promise<{ id: string; userId: number }[]> =>
  knex('books.receipts as letter')
    .where({ kind: 'receipt' })
    .whereNotNull('transfer_id')
    .whereNotNull('user_id')
    .whereBetween('at', [from, until])
    .whereRaw(isUndone)
    .orderBy(['at', 'id'])
    .limit(maxUntold)
    .select('id', { userId: 'user_id' })
