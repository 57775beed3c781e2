import type {
  RecordedEvent as EsdbEvent,
  StreamingRead,
  Position as EsdbPosition,
} from '@eventstore/db-client'
import type { EventMetadata } from '#kernel/event'
import { beginning, type Position, type RecordedEvent } from '#platform/event-store/event-store'
import type { Page } from '#platform/event-store/pull-subscription'
import { noAnswer, withRetries, type Esdb } from './connection'

const readsAtOnce = 16

export const readStreams = async (esdb: Esdb, names: string[]): Promise<Map<string, RecordedEvent[]>> => {
  const found = new Map(names.map((name): [string, RecordedEvent[]] => [name, []]))
  const waiting = found.keys()
  let failed = false
  const reader = async () => {
    for (const name of waiting) {
      if (failed) return
      found.set(name, await readStream(esdb, name, 0))
    }
  }
  const stopAll = (error: unknown) => {
    failed = true
    throw error
  }
  await Promise.all(Array.from({ length: readsAtOnce }, () => reader().catch(stopAll)))
  return found
}

export const readStream = (
  esdb: Esdb,
  name: string,
  fromRevision: number,
  maxCount = Number.MAX_SAFE_INTEGER,
): Promise<RecordedEvent[]> =>
  withRetries(esdb, async (callMs) => {
    const options = { ...esdb.call, fromRevision: BigInt(fromRevision), maxCount }
    const events: RecordedEvent[] = []
    try {
      await readToEnd(esdb.client.readStream(esdb.prefix + name, options), callMs, (event) => {
        events.push(recordedEvent(event, esdb.prefix))
        return 'more'
      })
    } catch (error) {
      if ((error as { type?: string }).type !== 'stream-not-found') throw error
    }
    return events
  })

/**
 * Position of our last event, read backwards from the end to `known`. Skips foreign events here, as the client cannot filter this read.
 * Answers the `most`th event read even if it is foreign.
 */
export const lastPosition = (esdb: Esdb, known: Position, most = Infinity): Promise<Position> =>
  withRetries(esdb, async (callMs) => {
    let last = known
    let seen = 0
    const backwards = { ...esdb.call, direction: 'backwards', fromPosition: 'end' } as const
    await readToEnd(esdb.client.readAll(backwards), callMs, (event) => {
      const position = positionOf(event.position) ?? known
      if (position <= known) return 'enough'
      seen += 1
      if (seen < most && !isOwn(event, esdb)) return 'more'
      last = position
      return 'enough'
    })
    return last
  })

/** Time of our oldest event after `position`; skips foreign events. */
export const oldestAfter = (esdb: Esdb, position: Position): Promise<string | null> =>
  withRetries(esdb, async (callMs) => {
    let at: string | null = null
    const forwards = { ...esdb.call, direction: 'forwards', fromPosition: placeOf(position) } as const
    await readToEnd(esdb.client.readAll(forwards), callMs, (event) => {
      if ((positionOf(event.position) ?? position) <= position || !isOwn(event, esdb)) return 'more'
      at = recordedEvent(event, esdb.prefix).metadata.at
      return 'enough'
    })
    return at
  })

export const tryStore = (esdb: Esdb): Promise<void> =>
  withRetries(esdb, (callMs) => {
    const one = { ...esdb.call, direction: 'backwards', fromPosition: 'end', maxCount: 1 } as const
    return readToEnd(esdb.client.readAll(one), callMs, () => 'more')
  })

/** Reads until the end or until `onEvent` answers `enough`. Fails after `silenceMs` without an event. */
const readToEnd = <Event extends { event?: unknown }>(
  reading: StreamingRead<Event>,
  silenceMs: number,
  onEvent: (event: EsdbEvent) => 'more' | 'enough',
): Promise<void> =>
  new Promise((resolve, reject) => {
    let over = false
    const end = (settle: () => void) => {
      if (over) return
      over = true
      clearTimeout(silence)
      settle()
      reading.cancel().catch(() => undefined)
    }
    const silence = setTimeout(() => end(() => reject(noAnswer(silenceMs))), silenceMs)
    // Also after the end: an unhandled error event would end the process.
    reading.on('error', (error) => end(() => reject(error)))
    reading.on('end', () => end(resolve))
    reading.on('data', ({ event }) => {
      if (over || event === undefined) return
      silence.refresh()
      try {
        if (onEvent(event as EsdbEvent) === 'enough') end(resolve)
      } catch (error) {
        end(() => reject(error as Error))
      }
    })
  })

const digits = 20

// The server encodes "no position" as the largest unsigned number, in checkpoints too.
const lastPlace = 2n ** 63n - 1n

/** Commit position in 20 digits, which sorts as text: unique in $all, since appends commit single events (decision 0008). */
export const positionOf = (place: EsdbPosition | undefined): Position | null =>
  place === undefined || place.commit > lastPlace ? null : place.commit.toString().padStart(digits, '0')

export const isEsdbPosition = (position: Position): boolean => /^\d{20}$/.test(position)

export const placeOf = (position: Position): EsdbPosition | 'start' => {
  if (position === beginning) return 'start'
  if (!isEsdbPosition(position))
    throw new Error(
      `${position} is no position of EventStoreDB: these read models follow another store; npm run rebuild makes them again`,
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

/** The store also holds its own events and may hold those of others. */
export const isOwn = (
  { streamId, type }: EsdbEvent,
  { streams, prefix }: { streams: readonly string[]; prefix: string },
): boolean => !type.startsWith('$') && streams.some((name) => streamId.startsWith(prefix + name))

export type NewestEvents = {
  /** True if everything after this position is cached; false for a position that no connection has seen: it may be from another store. */
  cover: (after: Position, isKnown: boolean) => Promise<boolean>
  readPage: (
    after: Position,
    most: number,
    isWanted: (event: RecordedEvent) => boolean,
  ) => Promise<Page | null>
  join: (wake: () => void) => () => void
  end: () => void
}

const maxKept = 1_000

type Pages = { readPage: (after: Position) => Promise<Page>; end: () => void }

/** Receives each new event once for all subscriptions of this process: the server would send it twenty times. */
export const newestEvents = (esdb: Esdb, pagesOf: (wake: () => void) => Pages): NewestEvents => {
  const readers = new Set<() => void>()
  const pages = pagesOf(() => readers.forEach((wake) => wake()))
  let kept: RecordedEvent[] = []
  let from = beginning
  let reached = beginning
  let opening: Promise<void> | null = null
  let receiving: Promise<Page['next']> | null = null

  const start = async () => {
    from = reached = await lastPosition(esdb, beginning, maxKept)
  }
  const open = () =>
    (opening ??= start().catch((error: unknown) => {
      opening = null
      throw error
    }))

  const receiveAll = async (): Promise<Page['next']> => {
    for (;;) {
      const { events, after, next } = await pages.readPage(reached)
      kept.push(...events)
      reached = after
      if (kept.length > maxKept) {
        const dropped = kept.splice(0, kept.length - maxKept)
        from = dropped.at(-1)!.position
      }
      if (next !== 'more') return next
    }
  }
  const receive = () =>
    (receiving ??= receiveAll().finally(() => {
      receiving = null
    }))

  return {
    cover: async (after, isKnown) => {
      await open()
      return after >= from && (isKnown || after <= reached)
    },
    readPage: async (after, most, isWanted) => {
      const next = await receive()
      if (after < from) return null
      const behind = kept.slice(firstBehind(kept, after))
      const events: RecordedEvent[] = []
      for (const event of behind) {
        if (isWanted(event)) events.push(event)
        if (events.length === most) return { events, after: event.position, next: 'more' }
      }
      return { events, after: reached > after ? reached : after, next: events.length > 0 ? 'more' : next }
    },
    join: (wake) => {
      readers.add(wake)
      return () => void readers.delete(wake)
    },
    end: () => pages.end(),
  }
}

const firstBehind = (events: readonly RecordedEvent[], after: Position): number => {
  const known = events.findLastIndex(({ position }) => position <= after)
  return known + 1
}
