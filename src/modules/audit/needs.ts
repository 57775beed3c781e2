import type { Ngwee } from '#kernel/money'
import type { Now } from '#platform/clock'
import type { Database, Reader } from '#platform/database'
import type { EventStore, RecordedEvent } from '#platform/event-store/event-store'
import type { Running } from '#platform/maintenance'
import type { JobQueue } from '#platform/jobs/job'
import type { Log } from '#platform/log'

/** What audit needs of the process and of the other contexts. */
export type AuditNeeds = {
  database: Database
  eventStore: Pick<EventStore, 'subscribe' | 'end' | 'append'>
  /** The events with their personal values in clear, or as `[deleted]`. */
  openedEvents: (events: RecordedEvent[]) => Promise<RecordedEvent[]>
  queue: Pick<JobQueue, 'enqueue'>
  now: Now
  log: Log
  /** IANA name of the school's time zone. */
  zone: string
  /** What is read there is as it was at one moment, while others go on writing. */
  inSnapshot: <Result>(read: (at: Reader) => Promise<Result>) => Promise<Result>
  /** What is being done to the school as a whole; null for nothing. */
  maintenanceRunning: () => Promise<Running | null>
  /** Does the work while nobody rebuilds, restores or backs up; waits for that. */
  undisturbed: <Result>(work: () => Promise<Result>) => Promise<Result>
  identity: {
    /** By user id; ids that nobody has are left out. */
    usernamesOf: (userIds: readonly number[]) => Promise<ReadonlyMap<number, string>>
    /** By student id; ids that nobody has are left out. */
    studentNamesOf: (studentIds: readonly number[]) => Promise<ReadonlyMap<number, string>>
    /** The users whose username contains this text. */
    usersNamed: (text: string) => Promise<number[]>
  }
  catalogue: {
    /** Those of the items that exist, archived or not. */
    itemsByIds: (ids: readonly number[]) => Promise<ReadonlyMap<number, { name: string }>>
  }
  ordering: {
    /** Of every cycle (null): how many orders, and the price of the completed and pending ones and of the completed. */
    orderTotals: (
      cycleIds: null,
      at: Reader,
    ) => Promise<ReadonlyMap<number, { orders: number; revenue: Ngwee; completed: Ngwee }>>
  }
  credit: {
    /** What families may spend, and what checkouts hold. */
    creditInAll: (at: Reader) => Promise<{ balance: Ngwee; held: Ngwee }>
  }
  books: {
    /** The closed days whose figures no longer follow from the history, a sentence each. */
    closingFaults: () => Promise<string[]>
    /** All that was ever booked: money less what went back, what is owed back and unpaid, and credit; in ngwee. */
    bookedInAll: (at: Reader) => Promise<{
      money: number
      owed: Ngwee
      unpaid: Ngwee
      creditGiven: number
      creditSpent: Ngwee
      creditPaidOut: Ngwee
    }>
  }
  refunds: {
    /** What is owed back in all, as Refund Management shows it. */
    owedInAll: (at: Reader) => Promise<Ngwee>
  }
}
