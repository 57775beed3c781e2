import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { makeFolder } from '#platform/folder'
import type { Log } from '#platform/log'
import {
  isEmbeddedDatabaseUsed,
  startEmbeddedPostgres,
} from '../../adapters/embedded-postgres/embedded-postgres'
import { openDatabase } from '../../adapters/postgres/database'
import type { Config } from '../config'

type Temporary = { url: string; remove: () => Promise<void> }

/** Runs work on a temporary empty database and folder: beside the school's own, or embedded where the role may not create one. */
export const withTemporaryDatabase = async <Answer>(
  { DATABASE_URL, DATA_DIR }: Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>,
  log: Log,
  work: (where: { url: string; dataDir: string }) => Promise<Answer>,
): Promise<Answer> => {
  const dataDir = await temporaryFolder(DATA_DIR)
  try {
    const beside = DATABASE_URL === undefined ? null : await databaseBeside(DATABASE_URL)
    const { url, remove } = beside ?? (await embedded(dataDir, log))
    return await work({ url, dataDir }).finally(remove)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

const prefix = 'temporary-'

const temporaryFolder = async (dataDir: string): Promise<string> => {
  await makeFolder(dataDir, 0o700)
  for (const name of await readdir(dataDir)) {
    const left = join(dataDir, name)
    if (name.startsWith(prefix) && !(await isEmbeddedDatabaseUsed(left)))
      await rm(left, { recursive: true, force: true })
  }
  return mkdtemp(join(dataDir, prefix))
}

const embedded = async (dataDir: string, log: Log): Promise<Temporary> => {
  const { url, stop } = await startEmbeddedPostgres({ dataDir, log, durable: false })
  return { url, remove: stop }
}

const notAllowed = '42501'
const inUse = '55006'
const databasePrefix = 'tuckshop_temporary_'

const databaseBeside = async (url: string): Promise<Temporary | null> => {
  const name = `${databasePrefix}${randomUUID().replaceAll('-', '')}`
  const server = await openDatabase(url)
  try {
    await dropLeftovers(server.pool)
    await server.pool.query(`create database ${name}`)
  } catch (error) {
    await server.close()
    if ((error as { code?: string }).code === notAllowed) return null
    throw error
  }
  const beside = new URL(url)
  beside.pathname = `/${name}`
  const remove = async () => {
    await server.pool.query(`drop database ${name} with (force)`).finally(server.close)
  }
  return { url: beside.href, remove }
}

const dropLeftovers = async (pool: Pool): Promise<void> => {
  const { rows } = await pool.query<{ datname: string }>(
    'select datname from pg_database where starts_with(datname, $1)',
    [databasePrefix],
  )
  for (const { datname } of rows)
    await pool.query(`drop database if exists ${datname}`).catch((error: { code?: string }) => {
      if (error.code !== inUse) throw error
    })
}
