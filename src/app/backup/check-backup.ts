import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool } from 'pg'
import {
  isEmbeddedDatabaseUsed,
  startEmbeddedPostgres,
} from '../../adapters/embedded-postgres/embedded-postgres'
import { openDatabase } from '../../adapters/postgres/database'
import { auditSchool } from '../commands/audit-school'
import { composeOffline } from '../commands/command'
import type { Config } from '../config'
import { openInfrastructure } from '../service/infrastructure'
import { checkArchive, restoreSchool, type CheckedArchive } from './restore-school'
import type { Now } from '#platform/clock'
import type { Log } from '#platform/log'

type Options = {
  log: Log
  now: Now
  onProgress: (what: 'Checking' | 'Restoring' | 'Read models', done: number, total: number | null) => void
}

/**
 * Restores an archive into a database that is made for it, audits what is there and removes it again. Throws StartError
 * for an archive that cannot be restored; `lines` are the audit's, `exitCode` is 1 when that finds anything wrong.
 */
export const checkBackup = async (
  path: string,
  config: Config,
  { log, now, onProgress }: Options,
): Promise<{ archive: CheckedArchive; lines: string[]; exitCode: 0 | 1 }> => {
  const archive = await checkArchive(path, (done) => onProgress('Checking', done, null))
  const dataDir = await temporaryFolder(config.DATA_DIR)
  try {
    const temporary = await temporaryDatabase(config, dataDir, log)
    // Nobody else is to be reached from there.
    const alone = {
      ...config,
      DATABASE_URL: temporary.url,
      DATA_DIR: dataDir,
      EVENTSTORE_URL: undefined,
      REDIS_URL: undefined,
    }
    try {
      const infrastructure = await openInfrastructure(alone, { log, now, opening: 'restore' })
      try {
        const { modules } = composeOffline(infrastructure, alone, { log, now })
        await restoreSchool(infrastructure, alone, { archive, modules, onProgress })
        const audit = { log, now, against: null, onProgress: () => undefined }
        return { archive, ...(await auditSchool(infrastructure, alone, audit)) }
      } finally {
        await infrastructure.close()
      }
    } finally {
      await temporary.remove()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

const prefix = 'check-'

/** On the disk that has room for the school, not in memory as /tmp may be. What a killed check left there is removed. */
const temporaryFolder = async (dataDir: string): Promise<string> => {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  for (const name of await readdir(dataDir)) {
    const left = join(dataDir, name)
    if (name.startsWith(prefix) && !(await isEmbeddedDatabaseUsed(left)))
      await rm(left, { recursive: true, force: true })
  }
  return mkdtemp(join(dataDir, prefix))
}

type Temporary = { url: string; remove: () => Promise<void> }

const temporaryDatabase = async (
  { DATABASE_URL }: Pick<Config, 'DATABASE_URL'>,
  dataDir: string,
  log: Log,
): Promise<Temporary> => {
  const made = DATABASE_URL === undefined ? null : await databaseBeside(DATABASE_URL)
  if (made) return made
  const { url, stop } = await startEmbeddedPostgres({ dataDir, log, durable: false })
  return { url, remove: stop }
}

const notAllowed = '42501'
const inUse = '55006'
const databasePrefix = 'tuckshop_check_'

/** Removes the databases of checks that were killed; that of a check which runs is in use and stays. */
const dropLeftovers = async (pool: Pool) => {
  const { rows } = await pool.query<{ datname: string }>(
    'select datname from pg_database where starts_with(datname, $1)',
    [databasePrefix],
  )
  for (const { datname } of rows)
    await pool.query(`drop database if exists ${datname}`).catch((error: { code?: string }) => {
      if (error.code !== inUse) throw error
    })
}

/** A new database on the same server; null when the role may not make one. */
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
