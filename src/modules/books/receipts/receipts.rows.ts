import type { Knex } from 'knex'
import type { Pool } from 'pg'
import type { Reader } from '#platform/database'
import { receiptNumber, type CountedRow, type Numbered } from './receipt'

export const receiptOfNumber = async (
  knex: Knex,
  { kind, year, number }: { kind: Numbered; year: number; number: number },
): Promise<CountedRow | null> =>
  (await knex<CountedRow>('books.receipts').where({ kind, year, number }).first()) ?? null

export const receiptOfId = async (knex: Knex, id: string): Promise<CountedRow | null> =>
  (await knex<CountedRow>('books.receipts').where({ id, kind: 'receipt' }).first()) ?? null

export const receiptsOfIds = (knex: Knex, ids: readonly string[]): Promise<CountedRow[]> =>
  knex<CountedRow>('books.receipts')
    .where({ kind: 'receipt' })
    .whereRaw('id = any(?::text[])', [[...ids]])

export const creditNotesOf = (knex: Knex, receiptId: string): Promise<CountedRow[]> =>
  knex<CountedRow>('books.receipts')
    .where({ receipt_id: receiptId, kind: 'credit_note' })
    .orderBy(['year', 'number'])

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

type ReceiptLead = { userId: number; attemptId: string | null; orderIds: string[] }

export const receiptsByNumber = async (
  at: Reader,
  { kind, year, number }: { kind: Numbered; year: number; number: number },
): Promise<ReceiptLead[]> => {
  const { rows } = await at.query<ReceiptLead>(
    `with called as (
       select id, receipt_id from books.receipts where kind = $1 and year = $2 and number = $3)
     select user_id as "userId", attempt_id as "attemptId",
       array_remove(array_append(
         array(select line->>'orderId' from jsonb_array_elements(coalesce(orders, '[]')) line), order_id), null)
         as "orderIds"
     from books.receipts
     where id in (select id from called union select receipt_id from called) and user_id is not null`,
    [kind, year, number],
  )
  return rows
}

type OrderOfPayment = { id: string; attemptId: string }

// Card: the checkout's receipt; otherwise the order names it or is one.
const numbersOfOrders = {
  name: 'receipt-numbers-of-orders',
  text: `select asked.id as "orderId", r.kind, r.year, r.number
    from unnest($1::text[], $2::text[]) as asked (id, attempt_id)
    left join books.receipts own on own.id = asked.id
    join books.receipts r on r.kind = 'receipt'
      and r.id = coalesce(case own.kind when 'receipt' then own.id else own.receipt_id end, asked.attempt_id)`,
}

export const receiptNumbers =
  (pool: Pool) =>
  async (orders: readonly OrderOfPayment[]): Promise<ReadonlyMap<string, string>> => {
    if (orders.length === 0) return new Map()
    const { rows } = await pool.query<Pick<CountedRow, 'kind' | 'year' | 'number'> & { orderId: string }>({
      ...numbersOfOrders,
      values: [orders.map(({ id }) => id), orders.map(({ attemptId }) => attemptId)],
    })
    return new Map(rows.map((row) => [row.orderId, receiptNumber(row)]))
  }
