import type { Books } from '#modules/books/index'
import type { Catalogue } from '#modules/catalogue/index'
import type { Credit } from '#modules/credit/index'
import type { Identity } from '#modules/identity/index'
import type { Ordering } from '#modules/ordering/index'
import type { Refunds } from '#modules/refunds/index'
import type { Reader } from '#platform/database'
import type { RecordedEvent } from '#platform/event-store/event-store'
import type { Running } from '#platform/maintenance'
import type { Ports } from '#platform/ports'

/** What the audit is made with. Its event store answers events as they are stored. */
export type AuditNeeds = Ports & {
  identity: Identity
  catalogue: Catalogue
  credit: Credit
  ordering: Ordering
  refunds: Refunds
  books: Books
  /** The events with their personal values in clear, or as `[deleted]`. */
  openedEvents: (events: RecordedEvent[]) => Promise<RecordedEvent[]>
  /** What is read there is as it was at one moment, while others go on writing. */
  inSnapshot: <Result>(read: (at: Reader) => Promise<Result>) => Promise<Result>
  /** What is being done to the school as a whole; null for nothing. */
  maintenanceRunning: () => Promise<Running | null>
  /** Does the work while nobody rebuilds, restores or backs up; waits for that. */
  withMaintenanceLock: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** Why orders were cancelled in one act, or days closed, by the id of that; what nobody knows is left out. */
  reasonsOf: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
}
