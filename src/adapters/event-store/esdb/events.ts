import type { Position as EsdbPosition, RecordedEvent as EsdbEvent } from '@eventstore/db-client'
import type { EventMetadata } from '#kernel/event'
import { beginning } from '#platform/event-store/event-store'
import type { Position, RecordedEvent } from '#platform/event-store/event-store'

const digits = 20

// The server writes "no position" as the largest unsigned number, also into a checkpoint.
const lastPlace = 2n ** 63n - 1n

/**
 * The commit position in 20 digits, so that it sorts as text. An event of an ordinary append is its own commit, so
 * this alone names its place in $all (see the decision). Null where the server names none.
 */
export const positionOf = (place: EsdbPosition | undefined): Position | null =>
  place === undefined || place.commit > lastPlace ? null : place.commit.toString().padStart(digits, '0')

/** Tells a position of this store from one of another. */
export const isEsdbPosition = (position: Position): boolean => /^\d{20}$/.test(position)

/** Where to subscribe so that what comes after `position` is delivered. */
export const placeOf = (position: Position): EsdbPosition | 'start' => {
  if (position === beginning) return 'start'
  if (!isEsdbPosition(position))
    throw new Error(
      `${position} is no position of EventStoreDB: these read models follow another store; npm run rebuild makes them anew`,
    )
  const commit = BigInt(position)
  return { commit, prepare: commit }
}

export const recordedEvent = (event: EsdbEvent, prefix: string): RecordedEvent => {
  const position = positionOf(event.position)
  if (position === null)
    throw new Error('EventStoreDB does not say where an event stands: version 22.6 or later is needed')
  return {
    id: event.id,
    type: event.type,
    data: event.data,
    metadata: event.metadata as EventMetadata,
    stream: event.streamId.slice(prefix.length),
    revision: Number(event.revision),
    position,
    recordedAt: event.created.toISOString(),
  }
}

/** Tells this application's events from those of others in the same store, and from the store's own. */
export const isOwn = (
  { streamId, type }: EsdbEvent,
  { streams, prefix }: { streams: readonly string[]; prefix: string },
): boolean => !type.startsWith('$') && streams.some((name) => streamId.startsWith(prefix + name))
