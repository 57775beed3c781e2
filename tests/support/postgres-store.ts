import { postgresEventStore } from '../../src/adapters/event-store/postgres/event-store'
import { postgresNotifications } from '../../src/adapters/postgres/notifications'
import { openDatabase } from '../../src/adapters/postgres/database'
import type { Database } from '#platform/database'
import type { EventStore } from '#platform/event-store/event-store'
import { familyKeysIn, type FamilyKeys } from '#platform/event-store/sealed-events'
import type { Notifications } from '#platform/ports'
import { heardLog } from './captured-log'

// Longer than any test: what is woken by nothing but the net shows as a failure.
const never = 3_600_000

/** A process as its database sees it: pools, notifications and an event store of its own. */
export type StoreProcess = {
  database: Database
  familyKeys: FamilyKeys
  notifications: Notifications
  store: EventStore
  close: () => Promise<void>
}

export const storeProcess = async (url: string, pollMs = never): Promise<StoreProcess> => {
  const log = heardLog()
  const database = await openDatabase(url, log)
  const notifications = postgresNotifications({ pool: database.pool, log })
  const store = postgresEventStore({ ...database, notifications, pollMs })
  const close = async () => {
    await store.close()
    await notifications.close()
    await database.close()
  }
  return { database, familyKeys: familyKeysIn(database.pool), notifications, store, close }
}
