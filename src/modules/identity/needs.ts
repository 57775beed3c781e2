import type { Catalogue } from '#modules/catalogue/index'
import type { Messaging } from '#modules/messaging/index'
import type { Ports } from '#platform/ports'
import type { Knex } from 'knex'
import type { By } from '#platform/event-store/command-handler'
import type { ConsumeCall } from '#platform/http/rate-limits'

/** What identity needs of the process and of the other contexts. */
export type IdentityNeeds = Ports & {
  /** As the HTTP server's: the budgets shared by all processes. */
  rateLimits: ConsumeCall | 'off'
  demo: boolean
  /** Secrets that sign verification links, newest first; at least one. */
  signingKeys: readonly string[]
  /** The superadmin's first password; one is generated when absent. */
  superadminPassword?: string
  catalogue: Catalogue
  messaging: Messaging
  claims: {
    /** Lets whoever registers try a claim code within the budgets of wrong ones. */
    trying: <Result>(
      from: { ip: string; userId: number | null },
      attempt: () => Promise<Result>,
    ) => Promise<Result>
    /** Puts the children of a code on an account, in the transaction; throws `claim_code_wrong`. */
    within: (
      transaction: Knex.Transaction,
      claim: { code: string; userId: number },
      by: By,
    ) => Promise<unknown>
  }
}
