import type { Knex } from 'knex'
import { receiptNumber, type CountedRow, type Numbered } from './receipt'

export const receiptOfNumber = async (
  knex: Knex,
  { kind, year, number }: { kind: Numbered; year: number; number: number },
): Promise<CountedRow | null> =>
  (await knex<CountedRow>('books.receipts').where({ kind, year, number }).first()) ?? null

export const receiptOfId = async (knex: Knex, id: string): Promise<CountedRow | null> =>
  (await knex<CountedRow>('books.receipts').where({ id, kind: 'receipt' }).first()) ?? null

export const creditNotesOf = (knex: Knex, receiptId: string): Promise<CountedRow[]> =>
  knex<CountedRow>('books.receipts')
    .where({ receipt_id: receiptId, kind: 'credit_note' })
    .orderBy(['year', 'number'])

/** Latest credit note of each refund that went back as money. */
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

/** Oldest first, with families; `isUndone` selects those to report as undone. */
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
