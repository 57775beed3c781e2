import type { Pool } from 'pg'
import type { RefundSort, RefundStatus } from '#contracts/refunds'
import type { Direction } from '#contracts/sorting'
import type { Ngwee } from '#kernel/money'
import type { Reader } from '#platform/database'
import { refundsView } from './refunds.view'
import type { RefundRow } from './refund-row'

const columns = Object.keys(refundsView.columns).join(', ')

/** Which refunds: what is owed, what was paid back, or both; '' is found in every one. */
export type RefundFilter = { status: RefundStatus; text: string }
export type RefundPage = { sort: RefundSort; direction: Direction; offset: number; limit: number }

const stored: Record<RefundStatus, readonly RefundRow['status'][]> = {
  cancelled: ['due'],
  refunded: ['paid_back'],
  all: ['due', 'paid_back'],
}

const shown: Record<RefundSort, string> = {
  due: 'due_since',
  date: 'ordered_at',
  student: 'lower(student_name)',
  item: 'lower(item_name)',
  amount: `case status when 'due' then owed else amount end`,
  status: `status = 'paid_back'`,
}

const matching = `from refunds.refunds where status = any($1::text[])
  and ($2 = '' or position(lower($2) in lower(concat_ws(' ', student_name, item_name, id))) > 0)`

/** One page of the refunds that match, equal ones by their ids, and how many there are in all. */
export const refundsPage = async (
  pool: Pool,
  { status, text }: RefundFilter,
  { sort, direction, offset, limit }: RefundPage,
): Promise<{ rows: RefundRow[]; total: number }> => {
  const values = [stored[status], text]
  const [{ rows }, counted] = await Promise.all([
    pool.query<RefundRow>(
      `select ${columns} ${matching} order by ${shown[sort]} ${direction}, id ${direction} offset $3 limit $4`,
      [...values, offset, limit],
    ),
    pool.query<{ total: number }>(`select count(*)::int as total ${matching}`, values),
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
export const owedInAll = async (pool: Reader): Promise<Ngwee> => {
  const { rows } = await pool.query<{ owed: number }>(
    'select coalesce(sum(owed), 0)::float8 as owed from refunds.refunds',
  )
  return rows[0]?.owed ?? 0
}
