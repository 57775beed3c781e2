import type { Audit } from '#modules/audit/index'
import type { Books } from '#modules/books/index'
import type { Closures } from '#modules/closures/index'
import type { Credit } from '#modules/credit/index'
import type { Identity } from '#modules/identity/index'
import type { Messaging } from '#modules/messaging/index'
import type { Ordering } from '#modules/ordering/index'
import type { Payments } from '#modules/payments/index'
import type { Refunds } from '#modules/refunds/index'
import type { Transfers } from '#modules/transfers/index'
import type { ConsumeCall } from '#platform/http/rate-limits'
import type { Ports } from '#platform/ports'

/** What enrolment is made with. */
export type EnrolmentNeeds = Ports & {
  messaging: Messaging
  identity: Identity
  credit: Credit
  ordering: Ordering
  payments: Payments
  transfers: Transfers
  refunds: Refunds
  closures: Closures
  books: Books
  audit: Audit
  /** As the HTTP server's: the budgets shared by all processes. */
  rateLimits: ConsumeCall | 'off'
  /** Secrets of which the keys of claim codes are made, newest first; at least one. */
  signingKeys: readonly string[]
  /** Where deleted accounts stand outside of every archive. */
  deletionList: {
    add: (account: { userId: number; createdAt: string; deletedAt: string }) => Promise<void>
  }
  readModels: {
    /** Nobody in this process opens what is sealed with this family's key any more. */
    forgetKey: (userId: number) => void
    /** Makes the rows of these streams again, without what nobody can read any more. */
    refold: (streams: readonly string[]) => Promise<unknown>
    /** Whether somebody is making them again from events that may have been read before. */
    isRebuilding: () => Promise<boolean>
  }
}
