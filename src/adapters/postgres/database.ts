import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import knexOf, { type Knex } from 'knex'
import { type Client, Pool, types as defaults } from 'pg'
import { watchForHang } from './hang-watch'
import { connectionOf, type Database } from '#platform/database'
import type { Log } from '#platform/log'
import { StartError } from '#platform/start-error'

// A date is a day of school time and stays the text `2026-09-16`; as a Date it would move with the server's zone.
const dateOid = 1082
const types = {
  getTypeParser: (oid: number, format?: string) =>
    oid === dateOid ? (text: string) => text : defaults.getTypeParser(oid, format as 'text'),
}

/**
 * Opens the two pools of one Postgres and tries them. A statement may take 30 s, an idle transaction 60 s, a new
 * connection 5 s. With `watched`, whatever waits for a server that hangs fails within 5 s; a command, for whom nobody
 * waits, goes on once it answers. Throws StartError when it cannot be reached. `date` columns come as text.
 */
export const openDatabase = async (
  url: string,
  log?: Log,
  { watched = false }: { watched?: boolean } = {},
): Promise<Database> => {
  const connection = {
    connectionString: url,
    application_name: 'tuckshop',
    connectionTimeoutMillis: 5_000,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 60_000,
    keepAlive: true,
    types: types as typeof defaults,
  }
  const pool = new Pool({ ...connection, max: 10, idleTimeoutMillis: 30_000 })
  let closing = false
  pool.on('error', (error) => {
    // It is replaced at the next use. While closing, an embedded server may end first.
    if (!closing) log?.warn({ err: error }, 'an idle database connection broke')
  })
  try {
    await pool.query('select 1')
  } catch (error) {
    await pool.end()
    throw new StartError(`The database at ${withoutPassword(url)} cannot be reached: ${reason(error)}.`, {
      cause: error,
    })
  }
  const watch = watched ? watchForHang(connection, log) : null
  pool.on('connect', (client) => watch?.add(client))
  const knex = knexOf({
    client: 'pg',
    // A failed statement tells its text, not the values in it: they may be a child's health record, and errors are logged.
    compileSqlOnError: false,
    connection: { ...connection, types },
    pool: {
      min: 0,
      max: 10,
      afterCreate: (client: Client, made: (error: null, client: Client) => void) => {
        watch?.add(client)
        made(null, client)
      },
    },
    acquireConnectionTimeout: 5_000,
    log: knexLog(log),
  })
  const close = async () => {
    closing = true
    await watch?.close()
    await knex.destroy()
    await pool.end()
  }
  return { knex, pool, close }
}

/**
 * Two connections for the budgets of calls alone, so that a load that takes all others does not lift the limits. Each
 * answers within a second or fails.
 */
export const openBudgetPool = (url: string, log?: Log): Pool => {
  const pool = new Pool({
    connectionString: url,
    application_name: 'tuckshop-limits',
    connectionTimeoutMillis: 1_000,
    statement_timeout: 1_000,
    query_timeout: 1_000,
    keepAlive: true,
    max: 2,
  })
  pool.on('error', (error) => log?.warn({ err: error }, 'an idle connection for the limits broke'))
  return pool
}

/** Knex would write these on the terminal. Whoever runs a query gets the error as well. */
const knexLog = (log?: Log) => {
  const warn = (message: unknown) => log?.warn({ knex: String(message) }, 'a table connection has trouble')
  return { warn, error: warn, deprecate: warn, debug: () => undefined }
}

const withoutPassword = (url: string): string => {
  try {
    const shown = new URL(url)
    shown.password = ''
    shown.search = ''
    return shown.href
  } catch {
    return 'DATABASE_URL'
  }
}

const reason = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ECONNREFUSED') return 'nothing answers there'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'the host is not known'
  if (code === '28P01') return 'the user or the password is wrong'
  return message === '' ? String(code) : message.replace(/\.$/, '')
}

// Any number will do, so long as every process asks for the same one.
const migrationLock = 728_104_551

/** Brings the schema up to date. Several processes may do so at once: one works, the others wait and find it done. */
export const migrateDatabase = async ({ knex, pool }: Pick<Database, 'knex' | 'pool'>): Promise<void> => {
  const client = await connectionOf(pool)
  try {
    await client.query('set statement_timeout = 0')
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await client.query('create schema if not exists platform')
    const config = { schemaName: 'platform', tableName: 'migrations', migrationSource }
    // The lock above is the real one and dies with its process; the library's own row would outlive a kill.
    await knex.migrate.forceFreeMigrationsLock(config)
    await knex.migrate.latest(config)
  } finally {
    // Ending the connection releases the lock.
    client.release(true)
  }
}

/** The migrations in this database that this program does not have: a newer one has written them. */
export const unknownMigrations = async (pool: Pool): Promise<string[]> => {
  const { rows } = await pool.query<{ table: string | null }>(
    "select to_regclass('platform.migrations') as table",
  )
  if (rows[0]!.table === null) return []
  const known = new Set(await knownMigrations())
  const { rows: done } = await pool.query<{ name: string }>(
    'select name from platform.migrations order by id',
  )
  return done.map(({ name }) => name).filter((name) => !known.has(name))
}

/** The names of all migrations of this program, in their order. */
export const knownMigrations = async (): Promise<string[]> =>
  (await migrationSource.getMigrations()).map((file) => migrationSource.getMigrationName(file))

// Built, they stand beside this code; else at the root of the repository.
const migrationsFolder = () =>
  ['migrations', '../../../migrations']
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find((path) => existsSync(path))!

/** Every file of the folder is a migration, in the order of their names; its name is the file's without the ending. */
const migrationSource = {
  getMigrations: async () =>
    (await readdir(migrationsFolder())).filter((file) => file.endsWith('.sql')).toSorted(),
  getMigrationName: (file: string) => parse(file).name,
  getMigration: async (file: string) => {
    const statements = await readFile(join(migrationsFolder(), file), 'utf8')
    return {
      up: async (knex: Knex) => {
        await knex.raw('set local statement_timeout = 0')
        await knex.raw(statements)
      },
      down: () => Promise.reject(new Error('Migrations only go forward')),
    }
  },
}
