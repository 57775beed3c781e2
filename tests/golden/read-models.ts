import { createHash } from 'node:crypto'
import type { EventStore, StreamAppend } from '#platform/event-store/event-store'
import { sealingEvents, type PersonalValues } from '#platform/event-store/sealed-events'
import { contextsOf } from '#platform/module'
import { startProjectors } from '#platform/projections/projector'
import { everyEvent } from '../support/every-event'
import { emptySchool, type SecondSchool } from '../support/school'
import { silentLog } from '../support/start-postgres'
import type { GoldenEvent } from './history-file'

/** The rows of each read model as sorted lines of JSON, by table. */
export type Rows = Record<string, string[]>

const eventsAtOnce = 200
const maxWaitMs = 600_000

/**
 * Appends the history to the event store of an empty school, with its ids and times, and runs the projectors of all
 * contexts to its end.
 */
export const replay = async (history: readonly GoldenEvent[]): Promise<Rows> => {
  const now = () => new Date(history.at(-1)!.metadata.at)
  const school = await emptySchool(now)
  try {
    const { infrastructure, modules } = school
    const personal: PersonalValues = Object.assign({}, ...modules.map((module) => module.personal ?? {}))
    const store = sealingEvents(infrastructure.eventStore, infrastructure.familyKeys, () => personal)
    for (let from = 0; from < history.length; from += eventsAtOnce)
      await store.append(history.slice(from, from + eventsAtOnce).map(appendOf))
    await project(school, now)
    return await readRows(school)
  } finally {
    await school.close()
  }
}

const appendOf = ({ stream, revision, id, type, data, metadata }: GoldenEvent): StreamAppend => ({
  stream,
  expectedRevision: revision - 1,
  events: [{ id, type, data, metadata }],
})

const project = async ({ infrastructure, modules }: SecondSchool, now: () => Date): Promise<void> => {
  const contexts = contextsOf(modules)
  const needs = { ...infrastructure, contexts, now, log: silentLog, viewsWaitMs: maxWaitMs }
  const projectors = startProjectors(needs)
  try {
    const { position } = await infrastructure.eventStore.end()
    await projectors.viewsInclude(position)
    const failing = Object.entries(projectors.status()).filter(([, { failing }]) => failing !== null)
    if (failing.length > 0) throw new Error(`Projectors fail: ${JSON.stringify(failing)}`)
  } finally {
    await projectors.close()
  }
}

const readRows = async ({ infrastructure, modules }: SecondSchool): Promise<Rows> => {
  const { database, eventStore } = infrastructure
  const named = await positionNames(eventStore)
  const rows: Rows = {}
  for (const { table } of modules.flatMap(({ views }) => views)) {
    const found = await database.pool.query<{ row: string }>(
      `select to_jsonb(t)::text as row from ${table} t`,
    )
    rows[table] = found.rows.map(({ row }) => named(row)).toSorted()
  }
  return rows
}

/** A position holds the number of a transaction, which is another one each time: the event's place stands instead. */
const positionNames = async (eventStore: EventStore) => {
  const events = await everyEvent(eventStore)
  const places = new Map(events.map(({ position }, index) => [position, `event ${index + 1}`]))
  return (row: string) =>
    row.replaceAll(/\d{20}-\d{20}/g, (position) => places.get(position) ?? 'unknown position')
}

/** A line for each table: its name, its number of rows and their SHA-256. */
export const checksumsOf = (rows: Rows): string[] =>
  Object.entries(rows)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([table, lines]) => `${table} ${lines.length} ${sha256(lines.join('\n'))}`)

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
