import type { Knex } from 'knex'
import type { CountedRow, Numbered } from './receipt'

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
