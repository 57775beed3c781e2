import type { SchoolDate } from '#kernel/school-time'
import type { Now } from '#platform/clock'
import type { Database } from '#platform/database'
import type { StreamChange } from '#platform/event-store/command-handler'
import type { EventStore, Position } from '#platform/event-store/event-store'
import type { Notifications } from '#platform/notifications'
import type { CycleFacts, MenuFacts, StudentFacts } from './cart/cart.decide'

/** An order that becomes another meal, once per `changeId`: what it takes as credit, gives when it is negative, in ngwee. */
type PriceChange = {
  userId: number
  orderId: string
  attemptId: string
  changeId: string
  difference: number
  /** In words for the family. */
  text: string
}

/** What ordering needs of the process and of the other contexts. */
export type OrderingNeeds = {
  database: Database
  notifications: Pick<Notifications, 'subscribe' | 'publisher'>
  eventStore: Pick<EventStore, 'read' | 'append'>
  waitForViews: (position: Position) => Promise<void>
  now: Now
  /** IANA name of the school's time zone. */
  zone: string
  catalogue: {
    /** Those of the items that exist, archived or not. */
    itemsByIds: (ids: readonly number[]) => Promise<ReadonlyMap<number, MenuFacts>>
  }
  cycles: {
    activeCycle: () => Promise<CycleFacts | null>
    /** Every cycle, the active one first. */
    allCycles: () => Promise<{ id: number; startDate: SchoolDate; cycleLength: number; isActive: boolean }[]>
    /** These cycles; one that is not there is absent. */
    cyclesByIds: (ids: readonly number[]) => Promise<ReadonlyMap<number, { startDate: SchoolDate }>>
    /** The active cycle, and the time of day from which today's meal can no longer be ordered. */
    orderingCalendar: () => Promise<{ cycle: CycleFacts | null; cutoff: { hour: number; minute: number } }>
  }
  credit: {
    /**
     * Takes back the credit that was given for cancelled orders that are to stand again; `changes` go before theirs. Orders
     * whose credit was `spent` cannot.
     */
    reclaimCredit: (
      orders: readonly { id: string; userId: number }[],
      at: Date,
    ) => Promise<{ changes: StreamChange[]; spent: ReadonlySet<string> }>
    /**
     * Gives what an order costs less than before, or takes what it costs more, in ngwee; `changes` go before its own.
     * Throws `credit_short`.
     */
    settlePrice: (change: PriceChange, at: Date) => Promise<StreamChange[]>
  }
  books: {
    /** The numbers of the receipts of these orders' payments, by order; those of no receipt are left out. */
    receiptNumbers: (
      orders: readonly { id: string; attemptId: string }[],
    ) => Promise<ReadonlyMap<string, string>>
  }
  identity: {
    /** Whom a user may order for. */
    orderableStudentsOf: (userId: number) => Promise<readonly StudentFacts[]>
    /** Null when there is no such user. */
    personOf: (userId: number) => Promise<{ username: string } | null>
    /** By user id; ids that nobody has are left out. */
    usernamesOf: (userIds: readonly number[]) => Promise<ReadonlyMap<number, string>>
    /** Writes to a user, once per id; false when there is no address. */
    mailUser: (
      userId: number,
      message: { subject: string; text: string; bareText: string },
      id: string,
    ) => Promise<boolean>
    /** The ids of everybody whose username contains this text, without regard to case. */
    usersNamed: (text: string) => Promise<number[]>
  }
}
