import type { Knex } from 'knex'
import type { Catalogue } from '#modules/catalogue/index'
import type { Messaging } from '#modules/messaging/index'
import type { By } from '#platform/event-store/command-handler'
import type { ConsumeCall } from '#platform/http/rate-limits'
import type { Ports } from '#platform/ports'
import type { Retention } from '#platform/retention'

/** Of argon2id: memory in KiB, passes, lanes. */
export type PasswordCost = { memoryCost: number; timeCost: number; parallelism: number }

export type IdentityNeeds = Ports & {
  /** Shared by all processes, as the HTTP server's. */
  rateLimits: ConsumeCall | 'off'
  demo: boolean
  passwordCost: PasswordCost
  /** Of the footers' maker. */
  makerUrl?: string
  signingKeys: readonly string[]
  superadminPassword?: string
  /** Of the whole program, for the privacy notice. */
  retentions: () => readonly Retention[]
  catalogue: Catalogue
  messaging: Messaging
  claims: {
    trying: <Result>(
      from: { ip: string; userId: number | null },
      attempt: () => Promise<Result>,
    ) => Promise<Result>
    /** In the transaction; throws `claim_code_wrong`. */
    within: (
      transaction: Knex.Transaction,
      claim: { code: string; userId: number },
      by: By,
    ) => Promise<unknown>
  }
}
