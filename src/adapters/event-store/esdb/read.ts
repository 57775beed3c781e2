import type { EventStoreDBClient, RecordedEvent as EsdbEvent, StreamingRead } from '@eventstore/db-client'
import type { Credentials } from './address'
import { isOwn, positionOf, recordedEvent } from './events'
import { noAnswer, withRetries } from './retry-policy'
import type { RetryPolicy } from './retry-policy'
import type { Position, RecordedEvent } from '#platform/event-store/event-store'

/** A client and what all its calls have in common. */
export type Esdb = {
  client: EventStoreDBClient
  /** A follower would answer from what it has so far, so appends and reads want the leader. */
  call: { credentials: Credentials; requiresLeader: true }
  /** Names of this application's streams begin with one of these. */
  streams: readonly string[]
  /** Stands before them in the store, and nowhere else. */
  prefix: string
  retryPolicy: RetryPolicy
  closing: AbortSignal
}

const readsAtOnce = 16

/** The whole of each stream, several streams at a time. */
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

/** At most `maxCount` events of a stream from a revision on; an absent stream has none. */
export const readStream = (
  esdb: Esdb,
  name: string,
  fromRevision: number,
  maxCount = Number.MAX_SAFE_INTEGER,
): Promise<RecordedEvent[]> =>
  withRetries(esdb.retryPolicy, esdb.closing, async () => {
    const options = { ...esdb.call, fromRevision: BigInt(fromRevision), maxCount }
    const events: RecordedEvent[] = []
    try {
      await hearAll(esdb.client.readStream(esdb.prefix + name, options), esdb.retryPolicy.callMs, (event) => {
        events.push(recordedEvent(event, esdb.prefix))
        return 'more'
      })
    } catch (error) {
      if ((error as { type?: string }).type !== 'stream-not-found') throw error
    }
    return events
  })

/**
 * The position of the last event of this application, looked for from the store's end backwards, no farther than
 * `known`, an earlier one: what others wrote since has to be passed over here, the client filters no such read.
 */
export const lastPosition = (esdb: Esdb, known: Position): Promise<Position> =>
  withRetries(esdb.retryPolicy, esdb.closing, async () => {
    let last = known
    const backwards = { ...esdb.call, direction: 'backwards', fromPosition: 'end' } as const
    await hearAll(esdb.client.readAll(backwards), esdb.retryPolicy.callMs, (event) => {
      const position = positionOf(event.position) ?? known
      if (position <= known) return 'enough'
      if (!isOwn(event, esdb)) return 'more'
      last = position
      return 'enough'
    })
    return last
  })

/** Resolves when the store lets us read; throws why it does not. */
export const tryStore = (esdb: Esdb): Promise<void> =>
  withRetries(esdb.retryPolicy, esdb.closing, () => {
    const one = { ...esdb.call, direction: 'backwards', fromPosition: 'end', maxCount: 1 } as const
    return hearAll(esdb.client.readAll(one), esdb.retryPolicy.callMs, () => 'more')
  })

/** Hears a read to its end, or to where it is enough. It has no deadline of its own, so silence is one. */
const hearAll = <Event extends { event?: unknown }>(
  reading: StreamingRead<Event>,
  silenceMs: number,
  hear: (event: EsdbEvent) => 'more' | 'enough',
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
    // An error after the end is heard too: an unheard one would end the process.
    reading.on('error', (error) => end(() => reject(error)))
    reading.on('end', () => end(resolve))
    reading.on('data', ({ event }) => {
      if (over || event === undefined) return
      silence.refresh()
      try {
        if (hear(event as EsdbEvent) === 'enough') end(resolve)
      } catch (error) {
        end(() => reject(error as Error))
      }
    })
  })
