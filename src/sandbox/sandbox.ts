import type { Pool } from 'pg'
import { decimalFromNgwee } from '#kernel/money'
import { dpoTimeouts, writeXml, type DpoConfig } from '#modules/payments/providers/dpo-wire'
import type { Database } from '#platform/database'
import type { Route } from '#platform/http/route'
import type { Log } from '#platform/log'
import type { Sweep } from '#platform/module'
import type { Now } from '#platform/ports'
import { dayMs, deleteUntil, type Retention } from '#platform/retention'
import { sandboxRoutes } from './sandbox.routes'
import {
  sandboxTransaction,
  approvalOf,
  statusAt,
  type SandboxTransactions,
  type SandboxTransaction,
} from './transaction'

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
  promptedPhones(transaction),
  transaction.prompts.at(-1)?.sentAt ?? null,
  JSON.stringify(transaction),
]

const promptedPhones = ({ outcome, prompts }: SandboxTransaction) => {
  const waiting = outcome === 'paid' ? [] : prompts.filter(({ answer }) => answer === null)
  return [...new Set(waiting.map(({ phone }) => phone))]
}

const sandboxTransactionRows = (pool: Pool): SandboxTransactions => ({
  add: async (transaction) => {
    await pool.query(
      `insert into payments.sandbox_transactions (token, ref, company_ref, push_at, prompted_phones, prompted_at, state)
       values ($1, $2, $3, $4, $5, $6, $7)`,
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
  promptedOn: async (phone, limit) => {
    const { rows } = await pool.query<Row>(
      `select state from payments.sandbox_transactions where prompted_phones <> '{}' and prompted_phones @> array[$1]
       order by prompted_at desc, token limit $2`,
      [phone, limit],
    )
    return rows.map(read)
  },
  change: (token, decide, known) => change(pool, token, decide, known),
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
  const { rows } = await pool.query<Row>({
    name: `sandbox-by-${column}`,
    text: `select state from payments.sandbox_transactions where ${column} = $1 limit 1`,
    values: [value],
  })
  return rows[0] ? read(rows[0]) : null
}

/** Optimistic: reads and decides again when another writer was first. */
const change = async (
  pool: Pool,
  token: string,
  decide: Parameters<SandboxTransactions['change']>[1],
  known?: SandboxTransaction,
): Promise<SandboxTransaction | null> => {
  for (let first = known; ; first = undefined) {
    const known = first ?? (await one(pool, 'token', token))
    const changed = known && decide(known)
    if (!changed) return null
    const { rowCount } = await pool.query({
      name: 'sandbox-change',
      text: `update payments.sandbox_transactions
       set ref = $2, company_ref = $3, push_at = $4, prompted_phones = $5, prompted_at = $6, state = $7
       where token = $1 and state = $8`,
      values: [...values(changed), JSON.stringify(known)],
    })
    if (rowCount === 1) return changed
  }
}

type SandboxPushNeeds = {
  transactions: SandboxTransactions
  now: Now
  log: Log
  pushUrl: () => string
  send?: typeof fetch
}

const timeoutMs = 5_000
const maxAtOnce = 4
const maxTries = 5
const pauseMs = 30_000

/** Pushes paid transactions in the background: 4 at once, 5 s and 5 tries each. `sweep` takes the rest. */
const sandboxPushes = (needs: SandboxPushNeeds) => {
  const { transactions, now, log } = needs
  const running = new Set<Promise<void>>()
  const ending = new AbortController()

  const deliver = async (token: string) => {
    const claimed = await transactions.change(token, (transaction) => claim(transaction, now()))
    if (!claimed) return
    const taken = await push(needs, claimed, ending.signal)
    if (!taken) log.warn({ tries: claimed.pushTries }, 'a push of the sandbox provider was not taken')
    if (taken || claimed.pushTries >= maxTries)
      await transactions.change(token, (transaction) => ({ ...transaction, pushAt: null }))
  }

  const inBackground = (token: string) => {
    const work = deliver(token).catch((err: unknown) =>
      log.warn({ err }, 'a push of the sandbox provider failed'),
    )
    const done = work.finally(() => running.delete(done))
    running.add(done)
  }

  return {
    /** Soon, if one is due. */
    start: (token: string): void => {
      if (running.size < maxAtOnce && !ending.signal.aborted) inBackground(token)
    },
    sweep: async (): Promise<void> => {
      for (const token of await transactions.pushesDue(now(), 20)) await deliver(token)
    },
    close: async (): Promise<void> => {
      ending.abort()
      await Promise.all(running)
    },
  }
}

/** Claims a push for half a minute, so that no other process sends it. */
const claim = (transaction: SandboxTransaction, at: Date): SandboxTransaction | null => {
  const { pushAt, pushTries } = transaction
  if (pushAt === null || new Date(pushAt) > at || statusAt(transaction, at) !== 'paid') return null
  return {
    ...transaction,
    pushAt: new Date(at.getTime() + pauseMs).toISOString(),
    pushTries: pushTries + 1,
  }
}

const push = async (
  { pushUrl, send = fetch }: SandboxPushNeeds,
  transaction: SandboxTransaction,
  ended: AbortSignal,
): Promise<boolean> => {
  try {
    const response = await send(pushUrl(), {
      method: 'POST',
      headers: { 'Content-Type': 'application/xml; charset=utf-8', 'User-Agent': 'Tuckshop-Sandbox/1.0' },
      body: pushXml(transaction),
      redirect: 'manual',
      signal: AbortSignal.any([ended, AbortSignal.timeout(timeoutMs)]),
    })
    return response.status === 200 && (await response.text()).trim() === 'OK'
  } catch {
    return false
  }
}

export const pushXml = (transaction: SandboxTransaction): string =>
  writeXml('API3G', {
    Result: '000',
    ResultExplanation: 'Transaction Paid',
    TransactionToken: transaction.token,
    TransactionRef: transaction.ref,
    TransactionApproval: approvalOf(transaction),
    TransactionCurrency: transaction.currency,
    TransactionAmount: decimalFromNgwee(transaction.amount),
    FraudAlert: '000',
  })
