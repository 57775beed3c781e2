import type { Pool } from 'pg'
import { receiptNumber, type CountedRow } from './receipt'

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

/** Receipt numbers by order; orders without one are left out. */
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
