import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readArchiveHead } from '#platform/archive/read-archive'
import {
  archiveVersion,
  createArchive,
  unfinishedName,
  type PartSum,
  type ArchiveWriter,
} from '#platform/archive/write-archive'
import { schoolOf } from '#platform/database'
import {
  logLine,
  readLog,
  type EventStore,
  type Position,
  type LogLine,
} from '#platform/event-store/event-store'
import { markBackedUp } from '#platform/maintenance'
import type { Module } from '#platform/module'
import type { Now } from '#platform/ports'
import { otherCheckpoints, type Checkpoint } from '#platform/projections/checkpoint'
import type { RowView } from '#platform/projections/row-view'
import { isShadow } from '#platform/projections/shadow-tables'
import { postgresLog } from '../../adapters/event-store/postgres/read'
import {
  inSnapshot,
  type Transaction,
  countersOf,
  migrationsOf,
  tableRows,
  tablesOf,
  type Table,
} from '../../adapters/postgres/tables'
import type { Config } from '../config'
import type { Infrastructure } from '../service/infrastructure'

type Options = {
  path: string
  modules: readonly Module[]
  now: Now
  onProgress: (events: number, total: number | null) => void
}

/** Tables as of one moment and the events up to it, also beside a running service. Throws StartError and then leaves no file. */
export const backupSchool = (
  where: Where,
  config: Pick<Config, 'EVENTSTORE_URL' | 'SCHOOL_NAME'>,
  options: Options,
): Promise<Written> =>
  where.maintenance.run(
    'backup',
    async () => {
      const written = await writeArchive(where, config, options)
      await markBackedUp(where.database.pool)
      return written
    },
    { leftover: unfinishedName(options.path) },
  )

type Where = Pick<Infrastructure, 'database' | 'eventStore' | 'maintenance'>

type Written = { parts: PartSum[]; fingerprint: string }

const writeArchive = async (
  { database, eventStore }: Where,
  config: Pick<Config, 'EVENTSTORE_URL' | 'SCHOOL_NAME'>,
  { path, modules, now, onProgress }: Options,
): Promise<Written> => {
  // Before the snapshot, so that the tables cover every archived event.
  const end = await eventStore.end()
  const progress = (done: number) => onProgress(done, end.events === null ? null : Math.max(done, end.events))
  return inSnapshot(database.pool, async (snapshot) => {
    const migrations = await migrationsOf(snapshot)
    const head = {
      version: archiveVersion,
      madeAt: now().toISOString(),
      school: config.SCHOOL_NAME,
      schoolId: (await schoolOf(snapshot))!,
      migrations,
    }
    const archive = await createArchive(path, head)
    try {
      const checkpoints = await otherCheckpoints(snapshot)
      const until = latest(end.position, ...checkpoints.map(({ position }) => position))
      const log = config.EVENTSTORE_URL ? logUntil(eventStore, until) : logOf(snapshot)
      const archived = await addEvents(archive, log, checkpoints, progress)
      await archive.add(
        checkpointsPart,
        archived.map((checkpoint) => JSON.stringify(checkpoint)),
      )
      await addTables(archive, snapshot, modules)
      return await archive.finish()
    } catch (error) {
      await archive.discard()
      throw error
    }
  })
}

const latest = (...positions: Position[]): Position => positions.reduce((a, b) => (a > b ? a : b))

type Log = (take: (lines: LogLine[]) => Promise<void>) => Promise<void>

const logOf =
  (snapshot: Transaction): Log =>
  async (take) => {
    for await (const lines of postgresLog(snapshot)) await take(lines)
  }

const pageEvents = 500

const logUntil =
  (eventStore: Pick<EventStore, 'subscribe'>, until: Position): Log =>
  (take) =>
    readLog(eventStore, { position: until }, pageEvents, (events) =>
      take(events.filter(({ position }) => position <= until).map(logLine)),
    )

const addEvents = async (
  archive: ArchiveWriter,
  log: Log,
  checkpoints: readonly Checkpoint[],
  onProgress: (events: number) => void,
): Promise<ArchivedCheckpoint[]> => {
  const reached = checkpoints.map(({ name, position }) => ({ name, position, after: null as string | null }))
  let done = 0
  await archive.add(eventsPart, [])
  await log(async (lines) => {
    await archive.add(
      eventsPart,
      lines.map(({ text }) => text),
    )
    for (const checkpoint of reached)
      checkpoint.after =
        lines.findLast(({ position }) => position <= checkpoint.position)?.id ?? checkpoint.after
    done += lines.length
    onProgress(done)
  })
  return reached.map(({ name, after }) => ({ name, after }))
}

const chain = {
  name: '(select number, event_id as "eventId", hash from audit.chain) as link',
  key: ['number'],
  needs: [],
}

const addTables = async (archive: ArchiveWriter, snapshot: Transaction, modules: readonly Module[]) => {
  const views = modules.flatMap((module) => module.views)
  const tables = sourceTables(await tablesOf(snapshot), views)
  const addAll = async (part: string, table: Table) => {
    await archive.add(part, [])
    for await (const rows of tableRows(snapshot, table)) await archive.add(part, rows)
  }
  await addAll(chainPart, chain)
  const counters = await countersOf(snapshot, tables)
  await archive.add(
    countersPart,
    counters.map((counter) => JSON.stringify(counter)),
  )
  for (const table of tables) await addAll(tablePart(table.name), table)
}

export const eventsPart = 'events'
export const chainPart = 'chain'
export const checkpointsPart = 'checkpoints'
export const countersPart = 'counters'

/** Where a table stands now that stood elsewhere before each module had a schema of its own. */
const moved: Record<string, readonly string[]> = {
  catalogue: ['identity.allergens', 'identity.allergy_rule'],
  messaging: [
    'identity.communication',
    'identity.message_settings',
    'identity.sms_days',
    'identity.mail_outbox',
  ],
  transfers: [
    'payments.statements',
    'payments.statement_rows',
    'payments.statement_left_out',
    'payments.statement_mappings',
    'payments.lapse_mails',
  ],
  enrolment: [
    'identity.claim_codes',
    'identity.roll_imports',
    'identity.deletions',
    'identity.promotions',
    'identity.promoted_students',
  ],
}

export const tableNow = (table: string): string => {
  const [schema] = Object.entries(moved).find(([, before]) => before.includes(table)) ?? []
  return schema ? `${schema}.${table.split('.')[1]}` : table
}

const tablePrefix = 'table '
const tablePart = (table: string): string => `${tablePrefix}${table}`
export const tableOfPart = (part: string): string | null =>
  part.startsWith(tablePrefix) ? tableNow(part.slice(tablePrefix.length)) : null

/** Events, chain and checkpoints name events instead of positions; the school id is in the head; sessions and rate limits are dropped. */
const apart = [
  'platform.events',
  'platform.checkpoints',
  'platform.migrations',
  'platform.migrations_lock',
  'platform.maintenance',
  'platform.school',
  'identity.sessions',
  'platform.rate_limits',
  'audit.chain',
]

/** Tables that no event can restore: all but views, rebuild leftovers and those above, so a new table is included. */
export const sourceTables = (tables: readonly Table[], views: readonly RowView[]): Table[] => {
  const others = new Set([...apart, ...views.map(({ table }) => table)])
  return tables.filter(({ name }) => !others.has(name) && !isShadow(name))
}

/** Migrations insert a settings row, so these are not empty in an empty school. */
export const filledFromTheStart: readonly string[] = [
  'messaging.communication',
  'messaging.message_settings',
  'identity.security',
  'catalogue.allergens',
  'catalogue.allergy_rule',
  'cycles.settings',
  'ordering.rules',
  'books.settings',
  'books.accounts',
]

/** `after` is the last event the follower has processed; null for none. */
export type ArchivedCheckpoint = { name: string; after: string | null }

/** Removes this school's archives beyond the latest `keep`; leaves other files. Answers the removed paths. */
export const pruneArchives = async (folder: string, school: string, keep: number): Promise<string[]> => {
  const ours: { path: string; madeAt: string }[] = []
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const head = name.endsWith('.gz') ? await readArchiveHead(path) : null
    if (head?.school === school) ours.push({ path, madeAt: head.madeAt })
  }
  const old = ours.toSorted((one, other) => (one.madeAt < other.madeAt ? 1 : -1)).slice(keep)
  for (const { path } of old) await rm(path)
  return old.map(({ path }) => path)
}
