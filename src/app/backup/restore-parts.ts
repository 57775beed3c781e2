import type { Transaction } from '../../adapters/postgres/snapshot'
import { insertRows, setCounter, tablesOf } from '../../adapters/postgres/tables'
import type { Counter } from '../../adapters/postgres/tables'
import {
  openMovedEvents,
  type MovedEvents,
  chainRestoring,
  continueSequence,
  insertEvents,
} from '../../adapters/postgres/moved-events'
import { readArchive } from '#platform/archive/read-archive'
import type { EventStore } from '#platform/event-store/event-store'
import { readLogLine } from '#platform/event-store/log-line'
import { StartError } from '#platform/start-error'
import {
  chainPart,
  checkpointsPart,
  countersPart,
  eventsPart,
  filledFromTheStart,
  tableOfPart,
} from './archive-parts'
import type { ArchivedCheckpoint } from './archive-parts'
import { remoteEvents } from './remote-events'

/** Takes the rows of one part as they come; `finish` is called behind the last of them. */
type Part = { add: (rows: string[]) => Promise<void>; finish: () => Promise<void> }

/** Writes all parts of an archive in a transaction; the events into `remote`, or with null into its own table. */
export const restoreParts = async (
  transaction: Transaction,
  remote: EventStore | null,
  path: string,
  onRow: (done: number) => void,
): Promise<void> => {
  const moved = await openMovedEvents(transaction)
  const parts: Record<string, Part> = {
    [eventsPart]: remote ? await eventsElsewhere(remote, moved) : eventsHere(transaction, moved),
    [chainPart]: await chainRestoring(transaction),
    [checkpointsPart]: each((row) => restoreCheckpoint(transaction, moved, JSON.parse(row))),
    [countersPart]: each((row) => setCounter(transaction, JSON.parse(row) as Counter)),
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
  if (table === null || !tables.has(table))
    throw new StartError(`The archive has a part that this Tuckshop does not know: ${part}.`)
  return { add: (rows) => insertRows(transaction, table, rows), finish: nothing }
}

const eventsHere = (transaction: Transaction, moved: MovedEvents): Part => {
  let done = 0
  return {
    add: async (rows) => {
      await insertEvents(transaction, done, rows)
      done += rows.length
    },
    finish: async () => {
      await continueSequence(transaction)
      await moved.addOwnEvents()
    },
  }
}

const eventsElsewhere = async (eventStore: EventStore, moved: MovedEvents): Promise<Part> => {
  const remote = await remoteEvents(eventStore, moved)
  return { add: (rows) => remote.add(rows.map(readLogLine)), finish: async () => remote.finish() }
}

// Jobs are not in the archive, so what the last of them were to do is asked for again; all of them may be repeated,
// and a mail that was sent is known by its id.
const hearAgain = '1 day'
const reactors = 'follower '

const restoreCheckpoint = async (
  transaction: Transaction,
  moved: MovedEvents,
  { name, after }: ArchivedCheckpoint,
): Promise<void> => {
  const position = name.startsWith(reactors)
    ? await moved.positionBefore(after, hearAgain)
    : await moved.positionOf(after)
  await transaction.query('insert into platform.checkpoints (name, position) values ($1, $2)', [
    name,
    position,
  ])
}
