import { readdir, readFile } from 'node:fs/promises'
import { join, parse } from 'node:path'
import knexOf, { type Knex } from 'knex'
import { type Client, Pool, types as defaults } from 'pg'
import { connectionOf, type Database } from '#platform/database'
import { StartError } from '#platform/failures'
import { shippedFolder } from '#platform/folder'
import type { Log } from '#platform/log'
import { openConnections, watchForHang } from './connections'
import { oneConnection } from './one-connection'

// A date is a school day and stays text: as a Date it would shift with the server's zone.
const dateOid = 1082
const types = {
  getTypeParser: (oid: number, format?: string) =>
    oid === dateOid ? (text: string) => text : defaults.getTypeParser(oid, format as 'text'),
}

/** Limits: statement 30 s, idle transaction 60 s, new connection 5 s; `watched` fails within 5 s on a hanging server. One that only reads
 * ends all connections. Throws StartError. */
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
  const connections = openConnections(log)
  pool.on('connect', connections.add)
  let closing = false
  pool.on('error', (error) => {
    // Replaced at next use. An embedded server may end first while closing.
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
  const reads = oneConnection(pool, connections)
  const views = oneConnection(pool, connections)
  const watch = watched ? watchForHang(connections, connection, log) : null
  const knex = knexOf({
    client: 'pg',
    // Errors are logged and values may be health data: log the statement, not its values.
    compileSqlOnError: false,
    connection: { ...connection, types },
    pool: {
      min: 0,
      max: 10,
      afterCreate: (client: Client, made: (error: null, client: Client) => void) => {
        connections.add(client)
        made(null, client)
      },
    },
    acquireConnectionTimeout: 5_000,
    log: knexLog(log),
  })
  const close = async () => {
    closing = true
    await watch?.close()
    await reads.close()
    await views.close()
    await knex.destroy()
    await pool.end()
  }
  return { knex, pool, reads, views, close }
}

/** Two connections for rate limits alone, so that load cannot lift them. Answers or fails within a second. */
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
  pool.on('connect', openConnections(log).add)
  pool.on('error', (error) => log?.warn({ err: error }, 'an idle connection for the limits broke'))
  return pool
}

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

const migrationLock = 728_104_551

/** Migrates the schema. Concurrent processes wait for the first and find it done. */
export const migrateDatabase = async ({ knex, pool }: Pick<Database, 'knex' | 'pool'>): Promise<void> => {
  const client = await connectionOf(pool)
  try {
    await client.query('set statement_timeout = 0')
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await client.query('create schema if not exists platform')
    const config = { schemaName: 'platform', tableName: 'migrations', migrationSource }
    // The lock above dies with its process; the library's own row would outlive a kill.
    await knex.migrate.forceFreeMigrationsLock(config)
    await knex.migrate.latest(config)
  } finally {
    // Ending the connection releases the lock.
    client.release(true)
  }
}

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

export const knownMigrations = async (): Promise<string[]> =>
  (await migrationSource.getMigrations()).map((file) => migrationSource.getMigrationName(file))

const migrationsFolder = () => shippedFolder('migrations', import.meta.url)

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
