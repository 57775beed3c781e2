import type { Knex } from 'knex'
import type { Audit } from '#modules/audit/index'
import type { Credit } from '#modules/credit/index'
import type { Identity } from '#modules/identity/index'
import type { Messaging } from '#modules/messaging/index'
import type { Ordering } from '#modules/ordering/index'
import type { Payments } from '#modules/payments/index'
import type { Refunds } from '#modules/refunds/index'
import type { Transfers } from '#modules/transfers/index'
import type { ConsumeCall } from '#platform/http/rate-limits'
import type { FamilyWords } from '#platform/names-in-texts'
import type { Ports } from '#platform/ports'

export type EnrolmentNeeds = Ports & {
  messaging: Messaging
  identity: Identity
  credit: Credit
  ordering: Ordering
  payments: Payments
  transfers: Transfers
  refunds: Refunds
  audit: Audit
  /** Shared by all processes, as the HTTP server's. */
  rateLimits: ConsumeCall | 'off'
  /** Newest first, at least one; claim code keys derive from them. */
  signingKeys: readonly string[]
  /** It lives outside every archive. */
  deletionList: {
    add: (account: { userId: number; createdAt: string; deletedAt: string }) => Promise<void>
  }
  /** Of all modules, in the given transaction. */
  forgetWords: (transaction: Knex, words: FamilyWords) => Promise<void>
  readModels: {
    forgetKey: (userId: number) => void
    /** Rebuilds rows without unreadable values. */
    refold: (streams: readonly string[]) => Promise<unknown>
    /** A rebuild may hold events read before. */
    isRebuilding: () => Promise<boolean>
  }
}
