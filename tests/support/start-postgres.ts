import { existsSync, statfsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserServer } from 'playwright-core'
import type { Log } from '#platform/log'
import { startEmbeddedPostgres } from '../../src/adapters/embedded-postgres/embedded-postgres'
import { migrateDatabase, openDatabase } from '../../src/adapters/postgres/database'
import { openJobQueue } from '../../src/adapters/queue/bullmq'

const quiet = () => undefined
export const silentLog: Log = { debug: quiet, info: quiet, warn: quiet, error: quiet, child: () => silentLog }

/** What all test files share, from the global set-up to the global teardown. */
type Shared = { tuckshopPostgres?: { stop: () => Promise<void> }; tuckshopBrowser?: BrowserServer }
export const shared = globalThis as Shared

/**
 * Before the tests: one Postgres for all of them, in a directory of its own (or TEST_DATABASE_URL), and in it a
 * migrated database that each test file's own is copied from. Jest calls this once per project; the first one starts it.
 */
const startPostgres = async (): Promise<void> => {
  if (shared.tuckshopPostgres !== undefined) return
  const server = await serverForTests()
  const template = `tuckshop_template_${process.pid}`
  await runOn(server.url, `drop database if exists ${template}`, `create database ${template}`)
  const databaseUrl = withDatabase(server.url, template)
  const database = await openDatabase(databaseUrl)
  await migrateDatabase(database)
  await database.close()
  // The queue's tables too: they take a third of what opening a school takes.
  await (await openJobQueue({ databaseUrl, log: silentLog })).close()
  process.env.TUCKSHOP_TEST_SERVER = server.url
  process.env.TUCKSHOP_TEST_TEMPLATE = template
  const stop = async () => {
    await runOn(server.url, `drop database if exists ${template}`)
    await server.stop()
  }
  shared.tuckshopPostgres = { stop }
}

const serverForTests = async () => {
  const given = process.env.TEST_DATABASE_URL
  if (given !== undefined && given !== '') return { url: given, stop: () => Promise.resolve() }
  const dataDir = await mkdtemp(join(databasesFolder(), 'tuckshop tests '))
  const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog, durable: false })
  await signInCheaply(postgres.url)
  const stop = async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  return { url: postgres.url, stop }
}

/** A school opens twenty connections, and the password of each is hashed 4,096 times on both sides. */
const signInCheaply = async (url: string) => {
  const { username, password } = new URL(url)
  await runOn(
    url,
    `set scram_iterations = 1; alter role "${username}" password '${decodeURIComponent(password)}'`,
  )
}

const memoryFolder = '/dev/shm'
const enoughBytes = 2 * 1024 ** 3

/**
 * A folder in memory where the machine has one with enough room, else the one for temporary files: every test file has
 * a database of some 350 files, and making and removing those on a disk costs more than what the tests ask of them.
 */
const databasesFolder = (): string => {
  if (!existsSync(memoryFolder)) return tmpdir()
  const { bavail, bsize } = statfsSync(memoryFolder)
  return bavail * bsize >= enoughBytes ? memoryFolder : tmpdir()
}

const runOn = async (url: string, ...statements: string[]): Promise<void> => {
  const database = await openDatabase(url)
  for (const statement of statements) await database.pool.query(statement)
  await database.close()
}

export const withDatabase = (url: string, name: string): string => {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}

export default startPostgres
