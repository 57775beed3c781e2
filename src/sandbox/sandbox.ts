import type { Now } from '#platform/clock'
import type { Database } from '#platform/database'
import type { Route } from '#platform/http/route'
import type { Log } from '#platform/log'
import type { Sweep } from '#platform/module'
import type { Retention } from '#platform/retention'
import { dpoTimeouts, type DpoConfig } from '#modules/payments/providers/dpo-wire'
import { sandboxPushes } from './push'
import { sandboxRetention, sandboxTransactionRows } from './transactions.rows'
import { sandboxRoutes } from './sandbox.routes'
import type { SandboxTransactions } from './transaction'

export type SandboxNeeds = {
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

export type Sandbox = {
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
