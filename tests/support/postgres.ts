import { randomUUID } from 'node:crypto'
import type { Database } from '#platform/database'
import type { EventStore } from '#platform/event-store/event-store'
import { type FamilyKeys, familyKeysIn } from '#platform/event-store/sealed-events'
import type { Notifications } from '#platform/ports'
import { postgresEventStore } from '../../src/adapters/event-store/postgres/event-store'
import { openDatabase } from '../../src/adapters/postgres/database'
import { postgresNotifications } from '../../src/adapters/postgres/notifications'
import { heardLog } from './captured-log'
import { withDatabase } from './start-postgres'

export type TestDatabase = { url: string; database: Database; close: () => Promise<void> }

const named = (variable: string): string => {
  const value = process.env[variable]
  if (value === undefined) throw new Error('The database for tests runs in the projects int and e2e only')
  return value
}

const onServer = async (statement: string): Promise<void> => {
  const server = await openDatabase(named('TUCKSHOP_TEST_SERVER'))
  await server.pool.query(statement).finally(server.close)
}

/** The address of a new database with every migration in it, which nobody else uses. `drop` removes it. */
export const freshDatabaseUrl = async (): Promise<{ url: string; drop: () => Promise<void> }> => {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  // Copying the template's files costs a tenth of what copying it through the log does.
  await onServer(`create database ${name} template ${named('TUCKSHOP_TEST_TEMPLATE')} strategy file_copy`)
  return {
    url: withDatabase(named('TUCKSHOP_TEST_SERVER'), name),
    drop: () => onServer(`drop database if exists ${name} with (force)`),
  }
}

/** A migrated database of its own for a test file, opened. `close` removes it. */
export const testDatabase = async (): Promise<TestDatabase> => {
  const { url, drop } = await freshDatabaseUrl()
  const database = await openDatabase(url)
  const close = async () => {
    await database.close()
    await drop()
  }
  return { url, database, close }
}

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
