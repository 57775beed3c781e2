import type { Pool } from 'pg'
import type { Now } from '#platform/clock'
import { type Retention, dayMs, deleteUntil } from '#platform/retention'
import { sandboxTransaction, type SandboxTransaction, type SandboxTransactions } from './transaction'

type Row = { state: unknown }

const read = (row: Row): SandboxTransaction => sandboxTransaction.parse(row.state)

const values = (transaction: SandboxTransaction) => [
  transaction.token,
  transaction.ref,
  transaction.companyRef,
  transaction.pushAt,
  JSON.stringify(transaction),
]

export const sandboxTransactionRows = (pool: Pool): SandboxTransactions => ({
  add: async (transaction) => {
    await pool.query(
      `insert into payments.sandbox_transactions (token, ref, company_ref, push_at, state)
       values ($1, $2, $3, $4, $5)`,
      values(transaction),
    )
  },
  byToken: (token) => one(pool, 'token', token),
  byRef: (ref) => one(pool, 'ref', ref),
  withCompanyRef: async (companyRef) => {
    const { rows } = await pool.query<Row>(
      'select state from payments.sandbox_transactions where company_ref = $1 order by token',
      [companyRef],
    )
    return rows.map(read)
  },
  change: (token, decide) => change(pool, token, decide),
  pushesDue: async (at, limit) => {
    const { rows } = await pool.query<{ token: string }>(
      `select token from payments.sandbox_transactions where push_at <= $1 order by push_at, token limit $2`,
      [at, limit],
    )
    return rows.map(({ token }) => token)
  },
})

/** Longer than any attempt is asked about; holds no real money. */
const sandboxKeptDays = 90

export const sandboxRetention = (pool: Pool, now: Now): Retention => ({
  name: 'payments.sandbox_transactions',
  kept: `${sandboxKeptDays} days (none in production)`,
  remove: deleteUntil(
    pool,
    'payments.sandbox_transactions',
    `push_at is null and (state ->> 'createdAt')::timestamptz < $1`,
    () => new Date(now().getTime() - sandboxKeptDays * dayMs),
  ),
})

const one = async (pool: Pool, column: 'token' | 'ref', value: string) => {
  const { rows } = await pool.query<Row>(
    `select state from payments.sandbox_transactions where ${column} = $1 limit 1`,
    [value],
  )
  return rows[0] ? read(rows[0]) : null
}

/** Optimistic: reads and decides again when another writer was first. */
const change = async (
  pool: Pool,
  token: string,
  decide: Parameters<SandboxTransactions['change']>[1],
): Promise<SandboxTransaction | null> => {
  for (;;) {
    const known = await one(pool, 'token', token)
    const changed = known && decide(known)
    if (!changed) return null
    const { rowCount } = await pool.query(
      `update payments.sandbox_transactions
       set ref = $2, company_ref = $3, push_at = $4, state = $5 where token = $1 and state = $6`,
      [...values(changed), JSON.stringify(known)],
    )
    if (rowCount === 1) return changed
  }
}
