import type { Catalogue } from '#modules/catalogue/index'
import type { Messaging } from '#modules/messaging/index'
import type { Ports } from '#platform/ports'
import type { Knex } from 'knex'
import type { CreditLeft } from './students/student.decide'
import type { AffectedOrder } from '#contracts/identity'
import type { By } from '#platform/event-store/command-handler'
import type { ConsumeCall } from '#platform/http/rate-limits'
import type { FamilyWords } from '#platform/names-in-texts'

/** What identity needs of the process and of the other contexts. */
export type IdentityNeeds = Ports & {
  /** As the HTTP server's: the budgets shared by all processes. */
  rateLimits: ConsumeCall | 'off'
  demo: boolean
  /** Secrets that sign verification links, newest first; at least one. */
  signingKeys: readonly string[]
  /** The superadmin's first password; one is generated when absent. */
  superadminPassword?: string
  ordering: {
    /** How many pending and completed orders these students have together. */
    orderCountOf: (studentIds: readonly number[]) => Promise<number>
    /**
     * The pending orders of these students from today on that a child of this grade could not order, the next first; all of
     * them where there is no grade any more.
     */
    ordersOffMenu: (
      studentIds: readonly number[],
      grade: string | null,
    ) => Promise<(AffectedOrder & { studentId: number })[]>
    /** The dates on which students of both groups have a lunch, the first 100. */
    sameDates: (some: readonly number[], others: readonly number[]) => Promise<string[]>
    /** Those of these students who have a lunch to come, today's among them. */
    withLunchesToCome: (studentIds: readonly number[]) => Promise<number[]>
    /** Those of these students for whom something was ordered since, whatever became of it. */
    orderedSince: (studentIds: readonly number[], since: Date) => Promise<number[]>
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
    isRebuilding: () => Promise<boolean>
  }
  /** Takes what a family is called and reached by out of what was typed about more than it, in the transaction. */
  forgetWords: (transaction: Knex.Transaction, words: FamilyWords) => Promise<void>
  catalogue: Catalogue
  messaging: Messaging
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
