import { randomUUID } from 'node:crypto'
import { openDatabase } from '../../src/adapters/postgres/database'
import type { Database } from '#platform/database'
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
