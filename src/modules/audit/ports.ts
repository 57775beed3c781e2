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

export type AuditNeeds = Ports & {
  identity: Identity
  catalogue: Catalogue
  credit: Credit
  ordering: Ordering
  refunds: Refunds
  books: Books
  maintenanceRunning: () => Promise<Running | null>
  /** Reasons of bulk cancellations and closures, by id; unknown ones are left out. */
  reasonsOf: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** Events with personal data decrypted, or `[deleted]`. */
  openedEvents: (events: RecordedEvent[]) => Promise<RecordedEvent[]>
  /** A consistent snapshot while others write. */
  inSnapshot: <Result>(read: (at: Reader) => Promise<Result>) => Promise<Result>
  /** Waits for and blocks rebuild, restore and backup. */
  withMaintenanceLock: <Result>(work: () => Promise<Result>) => Promise<Result>
}
