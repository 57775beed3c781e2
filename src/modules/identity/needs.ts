import type { CreditLeft } from './students/student.decide'
import type { Now } from '#platform/clock'
import type { Database } from '#platform/database'
import type { By } from '#platform/event-store/command-handler'
import type { TakeCall } from '#platform/http/rate-limits'
import type { JobQueue } from '#platform/jobs/job'
import type { Log } from '#platform/log'
import type { Mailer } from '#platform/mail'

/** What identity needs of the process and of the other contexts. */
export type IdentityNeeds = {
  database: Database
  now: Now
  log?: Log
  mailer: Mailer
  queue: Pick<JobQueue, 'enqueue'>
  /** As the HTTP server's: the budgets shared by all processes. */
  rateLimits: TakeCall | 'off'
  /** The address people use, for links in mails. */
  publicUrl: string
  schoolName: string
  /** IANA name of the school's time zone, which the portal shows. */
  zone: string
  demo: boolean
  /** Secrets that sign verification links, newest first; at least one. */
  signingKeys: readonly string[]
  /** The superadmin's first password; one is generated when absent. */
  superadminPassword?: string
  ordering: {
    /** How many pending and completed orders these students have together. */
    orderCountOf: (studentIds: readonly number[]) => Promise<number>
    /** Cancels every open order of these students; what was paid for them becomes due for refund. */
    cancelOrdersOf: (studentIds: readonly number[], by: By) => Promise<void>
    deleteDiscountCodesOf: (userId: number, by: By) => Promise<void>
  }
  /** Where deleted accounts stand outside of every archive. */
  deletionList: {
    add: (account: { userId: number; createdAt: string; deletedAt: string }) => Promise<void>
  }
  readModels: {
    /** Takes what nobody can read any more, since the family's key is destroyed, out of every read model. */
    forgetFamily: (userId: number) => Promise<void>
    /** Whether somebody is making them again from events that may have been read before. */
    areBeingMade: () => Promise<boolean>
  }
  payments: {
    /** How many meals of these students are still being paid for. */
    mealsInPayment: (studentIds: readonly number[]) => Promise<number>
  }
  credit: {
    /** What the school owes this account, in ngwee: as credit, held credit among it, and as refunds that are due. */
    leftOf: (userId: number) => Promise<CreditLeft>
    /** Nobody wants that any more; safe to repeat. */
    giveUp: (userId: number, administrator: number, by: By) => Promise<void>
  }
}
