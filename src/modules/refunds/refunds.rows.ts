import type { Pool } from 'pg'
import type { Ngwee } from '#kernel/money'
import { refundsView } from './refunds.view'
import type { RefundRow } from './refund-row'

const columns = Object.keys(refundsView.columns).join(', ')

/** One page of what is owed, oldest first, and how many there are in all. */
export const owedRefunds = async (
  pool: Pool,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ rows: RefundRow[]; total: number }> => {
  const [{ rows }, counted] = await Promise.all([
    pool.query<RefundRow>(
      `select ${columns} from refunds.refunds where status = 'due' order by due_since, id offset $1 limit $2`,
      [offset, limit],
    ),
    pool.query<{ total: number }>(`select count(*)::int as total from refunds.refunds where status = 'due'`),
  ])
  return { rows, total: counted.rows[0]?.total ?? 0 }
}

/** The orders for which money is owed of which none has gone back yet. */
export const ordersOwedInFull = async (pool: Pool): Promise<string[]> => {
  const { rows } = await pool.query<{ order_id: string }>(
    `select order_id from refunds.refunds where status = 'due' and order_id is not null and owed = amount`,
  )
  return rows.map(({ order_id }) => order_id)
}

/** What is owed back in all, in ngwee. */
export const owedInAll = async (pool: Pool): Promise<Ngwee> => {
  const { rows } = await pool.query<{ owed: number }>(
    'select coalesce(sum(owed), 0)::float8 as owed from refunds.refunds',
  )
  return rows[0]?.owed ?? 0
}
