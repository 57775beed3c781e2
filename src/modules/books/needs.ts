import type { Now } from '#platform/clock'
import type { Database } from '#platform/database'
import type { EventStore, Position } from '#platform/event-store/event-store'

/** What the books need of the process and of the other contexts. */
export type BooksNeeds = {
  database: Database
  eventStore: Pick<EventStore, 'end'>
  now: Now
  waitForViews: (position: Position) => Promise<void>
  /** IANA name of the school's time zone. */
  zone: string
  identity: {
    /** By user id; ids that nobody has are left out. */
    usernamesOf: (userIds: readonly number[]) => Promise<ReadonlyMap<number, string>>
  }
}
