import { postgresEventStore } from '../../src/adapters/event-store-postgres'
import { postgresNotices } from '../../src/adapters/notices-postgres'
import { openDatabase } from '../../src/adapters/database'
import type { Database } from '#platform/database'
import type { EventStore } from '#platform/event-store/event-store'
import type { Notices } from '#platform/notices'
import { heardLog } from './heard-log'

// Longer than any test: what is woken by nothing but the net shows as a failure.
const never = 3_600_000

/** A process as its database sees it: pools, notices and an event store of its own. */
export type StoreProcess = {
  database: Database
  notices: Notices
  store: EventStore
  close: () => Promise<void>
}

export const storeProcess = async (url: string, lookAgainMs = never): Promise<StoreProcess> => {
  const log = heardLog()
  const database = await openDatabase(url, log)
  const notices = postgresNotices({ pool: database.pool, log })
  const store = postgresEventStore({ ...database, notices, lookAgainMs })
  const close = async () => {
    await store.close()
    await notices.close()
    await database.close()
  }
  return { database, notices, store, close }
}
