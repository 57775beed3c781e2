import type { Now } from '#platform/ports'
import type { Database } from '#platform/database'
import type { Route } from '#platform/http/route'
import type { Log } from '#platform/log'
import type { Sweep } from '#platform/module'
import { dayMs, deleteUntil, type Retention } from '#platform/retention'
import { dpoTimeouts, type DpoConfig } from '#modules/payments/providers/dpo-wire'
import { sandboxPushes } from './push'
import { sandboxRoutes } from './sandbox.routes'
import { sandboxTransaction, type SandboxTransactions, type SandboxTransaction } from './transaction'
import type { Pool } from 'pg'

type SandboxNeeds = {
  database: Pick<Database, 'pool'>
  now: Now
  log: Log
  schoolName: string
  publicUrl: () => string
  serverUrl?: () => string
  pushUrl: () => string
  /** How long a slow bank takes, on the application's clock. */
  slowBankMs?: number
}

type Sandbox = {
  routes: Route[]
  /** For the very adapter that talks to DPO. */
  config: DpoConfig
  sweeps: Sweep[]
  close: () => Promise<void>
}

// Public: the sandbox moves no money and is refused in production.
const credentials = { companyToken: '5A4DB0C5-0000-4000-8000-000000000000', serviceType: '1000' }

/** Embedded card provider (DESIGN section 1): DPO's XML and a payment page. */
export const sandboxProvider = (needs: SandboxNeeds): Sandbox & { retentions: Retention[] } => ({
  ...sandboxOn(sandboxTransactionRows(needs.database.pool), needs),
  retentions: [sandboxRetention(needs.database.pool, needs.now)],
})

export const sandboxOn = (
  transactions: SandboxTransactions,
  needs: Omit<SandboxNeeds, 'database'>,
): Sandbox => {
  const { now, log, schoolName, pushUrl, publicUrl, serverUrl = publicUrl, slowBankMs = 60_000 } = needs
  const pushes = sandboxPushes({ transactions, now, log, pushUrl })
  return {
    routes: sandboxRoutes({
      transactions,
      now,
      log,
      schoolName,
      slowBankMs,
      credentials,
      startPush: pushes.start,
    }),
    config: configAt(publicUrl, serverUrl),
    sweeps: [{ name: 'send-sandbox-pushes', run: pushes.sweep }],
    close: pushes.close,
  }
}

const configAt = (publicUrl: () => string, serverUrl: () => string): DpoConfig => ({
  ...credentials,
  timeouts: dpoTimeouts,
  get createUrl() {
    return new URL('/sandbox/api/v6/', serverUrl()).href
  },
  get verifyUrl() {
    return new URL('/sandbox/api/v7/', serverUrl()).href
  },
  get payUrl() {
    return new URL('/sandbox/pay', publicUrl()).href
  },
})

type Row = { state: unknown }

const read = (row: Row): SandboxTransaction => sandboxTransaction.parse(row.state)

const values = (transaction: SandboxTransaction) => [
  transaction.token,
  transaction.ref,
  transaction.companyRef,
  transaction.pushAt,
  JSON.stringify(transaction),
]

const sandboxTransactionRows = (pool: Pool): SandboxTransactions => ({
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

const sandboxRetention = (pool: Pool, now: Now): Retention => ({
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
