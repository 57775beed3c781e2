import { isDeepStrictEqual } from 'node:util'
import type { Pool } from 'pg'
import { inWritingSnapshot, type Transaction } from '../../adapters/postgres/snapshot'
import { postgresLog, postgresStreams } from '../../adapters/event-store/postgres/read'
import { moveReferences, openMovedEvents } from '../../adapters/postgres/moved-events'
import { remoteEvents } from './remote-events'
import type { EventStore, RecordedEvent } from '#platform/event-store/event-store'
import { readLogLine, type LoggedEvent } from '#platform/event-store/log-line'
import { StartError } from '#platform/start-error'

type Options = {
  /** From now on the school's events are there: checkpoints and chain name their places there, if all is the same. */
  switchOver: boolean
  /** Claims the store for this school once its events are there, and nobody else's. */
  schoolId: string
  onProgress: (what: 'Copying' | 'Comparing', done: number, total: number) => void
}

/** `differences` are sentences; there are none in an exact copy. */
export type Copied = { events: number; streams: number; differences: string[]; switched: boolean }

/**
 * Copies the events of the events table to another store, in their order, as they are at this moment, and compares
 * every stream there with its original. What an earlier time has copied is not copied again.
 */
export const copyEvents = (
  pool: Pool,
  target: EventStore,
  { switchOver, schoolId, onProgress }: Options,
): Promise<Copied> =>
  inWritingSnapshot(pool, switchOver ? 'platform.events' : null, async (snapshot) => {
    // While nobody writes, all events are settled, whatever else is going on in the database.
    const which = switchOver ? 'all' : 'settled'
    const totals = await totalsOf(snapshot)
    const { events, unavailableReason } = await copyAll(snapshot, target, which, (done) =>
      onProgress('Copying', done, totals.events),
    )
    if (unavailableReason === null) await target.claim(schoolId)
    const { streams, differences } = await compareAll(snapshot, target, which, (done) =>
      onProgress('Comparing', done, totals.streams),
    )
    const all = unavailableReason === null ? differences : [unavailableReason, ...differences]
    const switched = switchOver && all.length === 0
    if (switched) await moveReferences(snapshot)
    return { events, streams, differences: all, switched }
  })

const totalsOf = async (snapshot: Transaction): Promise<{ events: number; streams: number }> => {
  const { rows } = await snapshot.query<{ events: number; streams: number }>(
    'select count(*)::float8 as events, count(distinct stream)::float8 as streams from platform.events',
  )
  return rows[0]!
}

type Which = Parameters<typeof postgresLog>[1]

/** Answers how many events are there now, and why it did not get on. */
const copyAll = async (
  snapshot: Transaction,
  target: EventStore,
  which: Which,
  onEvents: (done: number) => void,
): Promise<{ events: number; unavailableReason: string | null }> => {
  const remote = await remoteEvents(target, await openMovedEvents(snapshot))
  let events = 0
  try {
    for await (const lines of postgresLog(snapshot, which)) {
      await remote.add(lines.map(({ text }) => readLogLine(text)))
      events += lines.length
      onEvents(events)
    }
    remote.finish()
    return { events, unavailableReason: null }
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    return { events, unavailableReason: error.message }
  }
}

const compareAll = async (
  snapshot: Transaction,
  target: EventStore,
  which: Which,
  onStreams: (done: number) => void,
): Promise<{ streams: number; differences: string[] }> => {
  const differences: string[] = []
  let streams = 0
  for await (const originals of postgresStreams(snapshot, which)) {
    const copies = await target.read([...originals.keys()])
    for (const [stream, events] of originals)
      differences.push(...differencesOf(stream, events, copies.get(stream) ?? []))
    streams += originals.size
    onStreams(streams)
  }
  return { streams, differences }
}

const parts = ['type', 'data', 'metadata'] as const

/** What is not the same in the copy of one stream, a sentence each; none when it is an exact copy. */
export const differencesOf = (
  stream: string,
  original: readonly LoggedEvent[],
  copy: readonly RecordedEvent[],
): string[] => {
  const words = original.flatMap((event, index) => differencesAt(stream, event, copy[index]))
  const more = copy.length - original.length
  return more > 0
    ? [...words, `Stream ${stream} has ${more} more ${more === 1 ? 'event' : 'events'} there.`]
    : words
}

const differencesAt = (stream: string, event: LoggedEvent, there: RecordedEvent | undefined): string[] => {
  const named = `Event ${event.revision} of stream ${stream} (${event.type}, ${event.id})`
  if (!there) return [`${named} is missing there.`]
  if (there.id !== event.id) return [`${named} is another one there: ${there.id}.`]
  const other = parts.filter((part) => !isDeepStrictEqual(there[part], event[part]))
  return [
    ...(there.revision === event.revision ? [] : [`${named} has the revision ${there.revision} there.`]),
    ...(other.length > 0 ? [`${named} has other ${other.join(' and ')} there.`] : []),
  ]
}
