import { readArchive } from '#platform/archive/read-archive'
import type { ArchiveHead } from '#platform/archive/write-archive'
import { replaceSchool } from '#platform/database'
import {
  WrongExpectedRevision,
  readLogLine,
  readLog,
  type EventStore,
  type LoggedEvent,
} from '#platform/event-store/event-store'
import { StartError } from '#platform/failures'
import { isHalfRestored, markHalfRestored, unmarkHalfRestored } from '#platform/maintenance'
import { contextsOf, type Module } from '#platform/module'
import { rebuildViews } from '#platform/projections/rebuild-views'
import { knownMigrations } from '../../adapters/postgres/database'
import {
  type RestoredEvent,
  type RestoredEvents,
  openRestoredEvents,
  chainRestoring,
  continueSequence,
  insertEvents,
} from '../../adapters/postgres/restored-events'
import {
  inTransaction,
  type Transaction,
  emptyTables,
  tablesOf,
  insertRows,
  setCounter,
  type Counter,
} from '../../adapters/postgres/tables'
import type { Config } from '../config'
import { withExclusiveLock, type Infrastructure } from '../service/infrastructure'
import { refuseClaimed } from '../service/school-id'
import {
  eventsPart,
  filledFromTheStart,
  sourceTables,
  chainPart,
  checkpointsPart,
  countersPart,
  tableNow,
  tableOfPart,
  type ArchivedCheckpoint,
} from './backup-school'

type Options = {
  archive: CheckedArchive
  modules: readonly Module[]
  deleteAgain?: () => Promise<unknown>
  onProgress: (what: 'Restoring' | 'Read models', done: number, total: number | null) => void
}

type Where = Pick<Infrastructure, 'database' | 'eventStore' | 'familyKeys' | 'locks' | 'maintenance'>

export type CheckedArchive = {
  path: string
  head: ArchiveHead
  fingerprint: string
  rows: number
  events: number
}

/** Reads the whole archive. Throws StartError when it is damaged or does not fit. */
export const checkArchive = async (
  path: string,
  onRead: (bytes: number) => void,
): Promise<CheckedArchive> => {
  const reading = readArchive(path, onRead)
  let step = await reading.next()
  while (!step.done) step = await reading.next()
  const { head, parts, fingerprint } = step.value
  await refuseOtherShape(head)
  const rows = parts.reduce((sum, part) => sum + part.rows, 0)
  const events = parts.find(({ part }) => part === eventsPart)?.rows ?? 0
  return { path, head, fingerprint, rows, events }
}

/** The last migration before the schema was rewritten by context; its rows fit today's tables. */
const lastOfSameShape = '0061-guardian-invites'

const refuseOtherShape = async ({ migrations }: ArchiveHead) => {
  if (migrations.at(-1) === lastOfSameShape) return
  const here = await knownMigrations()
  const unknown = migrations.find((name) => !here.includes(name))
  if (unknown !== undefined)
    throw new StartError(
      `The archive was made by a newer Tuckshop, which knows ${unknown}: restore it with that.`,
    )
  const missing = here.find((name) => !migrations.includes(name))
  if (missing !== undefined)
    throw new StartError(
      `The archive was made by an older Tuckshop, which does not know ${missing}: restore it with that, then start this one.`,
    )
}

/**
 * Tables and events in one transaction (a remote store before), then the read models. A mark lets an interrupted restore start over. Throws
 * StartError for a school that is not empty.
 */
export const restoreSchool = (
  where: Where,
  config: Pick<Config, 'EVENTSTORE_URL'>,
  { archive, modules, deleteAgain, onProgress }: Options,
): Promise<void> =>
  where.maintenance.run('restore', async () => {
    const { pool } = where.database
    await withExclusiveLock(where, modules, () =>
      restoreRows(where, config, { archive, modules, onProgress }),
    )
    await deleteAgain?.()
    const contexts = contextsOf(modules)
    const { events } = archive
    await rebuildViews({ ...where, contexts, onProgress: (done) => onProgress('Read models', done, events) })
    await unmarkHalfRestored(pool)
  })

const restoreRows = async (
  { database: { pool }, eventStore }: Where,
  { EVENTSTORE_URL }: Pick<Config, 'EVENTSTORE_URL'>,
  { archive: { path, rows, head }, modules, onProgress }: Options,
) => {
  const again = await isHalfRestored(pool)
  const remote = EVENTSTORE_URL ? eventStore : null
  if (remote) await refuseClaimed(remote, head.schoolId, `The archive ${path}`)
  if (!again) {
    await inTransaction(pool, (transaction) => refuseUsed(transaction, modules))
    await markHalfRestored(pool)
  }
  await inTransaction(pool, async (transaction) => {
    if (again) await emptyTables(transaction, await tablesOf(transaction))
    await restoreParts(transaction, remote, path, (done) => onProgress('Restoring', done, rows))
    await replaceSchool(transaction, head.schoolId)
    await remote?.claim(head.schoolId)
  }).catch(async (error: unknown) => {
    // Nothing was written here, unless to another store or earlier.
    if (!again && remote === null) await unmarkHalfRestored(pool)
    throw error
  })
}

const refuseUsed = async (transaction: Transaction, modules: readonly Module[]) => {
  const tables = sourceTables(
    await tablesOf(transaction),
    modules.flatMap((module) => module.views),
  )
  for (const name of [...tables.map((table) => table.name), 'platform.events', 'audit.chain']) {
    if (filledFromTheStart.includes(name)) continue
    const { rowCount } = await transaction.query(`select 1 from ${name} limit 1`)
    if (rowCount !== 0)
      throw new StartError(
        `There is a school here already (${name} has rows): restore into a fresh database, on which the service was never started.`,
      )
  }
}

type Part = { add: (rows: string[]) => Promise<void>; finish: () => Promise<void> }

/** Writes the parts in a transaction; events go to `remote`, or with null into the table. */
const restoreParts = async (
  transaction: Transaction,
  remote: EventStore | null,
  path: string,
  onRow: (done: number) => void,
): Promise<void> => {
  const restored = await openRestoredEvents(transaction)
  const parts: Record<string, Part> = {
    [eventsPart]: remote ? await eventsElsewhere(remote, restored) : eventsHere(transaction, restored),
    [chainPart]: await chainRestoring(transaction),
    [checkpointsPart]: each((row) => restoreCheckpoint(transaction, restored, JSON.parse(row))),
    [countersPart]: each((row) => {
      const counter = JSON.parse(row) as Counter
      return setCounter(transaction, { ...counter, table: tableNow(counter.table) })
    }),
  }
  const tables = new Set((await tablesOf(transaction)).map((table) => table.name))
  for (const table of filledFromTheStart) await transaction.query(`delete from ${table}`)
  let done = 0
  let name = ''
  let current: Part = { add: nothing, finish: nothing }
  for await (const batch of readArchive(path)) {
    if (batch.part !== name) {
      await current.finish()
      name = batch.part
      current = parts[name] ?? restoredTable(transaction, tables, name)
    }
    if (batch.rows.length > 0) await current.add(batch.rows)
    done += batch.rows.length
    onRow(done)
  }
  await current.finish()
}

const nothing = () => Promise.resolve()

const each = (act: (row: string) => Promise<void>): Part => ({
  add: async (rows) => {
    for (const row of rows) await act(row)
  },
  finish: nothing,
})

const restoredTable = (transaction: Transaction, tables: ReadonlySet<string>, part: string): Part => {
  const table = tableOfPart(part)
  const add = async (rows: string[]) => {
    if (table === null || !tables.has(table))
      throw new StartError(`The archive has a part that this Tuckshop does not know: ${part}.`)
    await insertRows(transaction, table, rows)
  }
  return { add, finish: nothing }
}

const eventsHere = (transaction: Transaction, restored: RestoredEvents): Part => {
  let done = 0
  return {
    add: async (rows) => {
      await insertEvents(transaction, done, rows)
      done += rows.length
    },
    finish: async () => {
      await continueSequence(transaction)
      await restored.addOwnEvents()
    },
  }
}

const pageEvents = 500

/** Appends a log event by event. Skips what an interrupted restore appended; refuses anything else before appending. */
const eventsElsewhere = async (eventStore: EventStore, restored: RestoredEvents): Promise<Part> => {
  let there = 0
  await readLog(eventStore, await eventStore.end(), pageEvents, async (events) => {
    await restored.add(
      there,
      events.map((event) => ({ ...event, at: event.metadata.at })),
    )
    there += events.length
  })
  let done = 0

  const add = async (rows: string[]): Promise<void> => {
    const events = rows.map(readLogLine)
    const known = done < there ? await restored.after(done, events.length) : []
    for (const [index, { id, stream, revision }] of known.entries()) {
      const event = events[index]!
      if (event.id !== id || event.stream !== stream || event.revision !== revision)
        throw otherEvents(`event ${id} of ${stream} is where event ${event.id} of ${event.stream} belongs`)
    }
    const fresh: RestoredEvent[] = []
    for (const event of events.slice(known.length)) {
      const position = await appendOne(eventStore, event)
      fresh.push({ ...event, position, at: event.metadata.at })
    }
    await restored.add(done + known.length, fresh)
    done += events.length
  }

  const finish = async (): Promise<void> => {
    if (there > done) throw otherEvents(`it has ${there} events, and only ${done} were to be there`)
  }

  return { add, finish }
}

const appendOne = async (eventStore: EventStore, event: LoggedEvent) => {
  const { stream, revision, id, type, data, metadata } = event
  try {
    return await eventStore.append([
      { stream, expectedRevision: revision - 1, events: [{ id, type, data, metadata }] },
    ])
  } catch (error) {
    if (!(error instanceof WrongExpectedRevision)) throw error
    throw otherEvents(`stream ${stream} is not where event number ${revision} of it belongs`)
  }
}

const otherEvents = (what: string) =>
  new StartError(`The event store holds other events than this school's: ${what}.`)

// Jobs are not archived, so reactors reread the last day: jobs are repeatable, and mails are recognised by id.
const replayed = '1 day'
const reactors = 'follower '

const restoreCheckpoint = async (
  transaction: Transaction,
  restored: RestoredEvents,
  { name, after }: ArchivedCheckpoint,
): Promise<void> => {
  const position = name.startsWith(reactors)
    ? await restored.positionBefore(after, replayed)
    : await restored.positionOf(after)
  await transaction.query('insert into platform.checkpoints (name, position) values ($1, $2)', [
    name,
    position,
  ])
}
