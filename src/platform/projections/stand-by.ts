import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '#platform/database'
import {
  beginning,
  type EventStore,
  type Position,
  type RecordedEvent,
} from '#platform/event-store/event-store'
import { checkpointSeen } from './checkpoint'
import type { Standing } from './progress'

type Needs = { database: Pick<Database, 'pool'>; eventStore: Pick<EventStore, 'subscribe'> }
type Followed = { name: string; types?: readonly string[]; batchSize: number }

export type StandBy = { standing: () => Standing; close: () => Promise<void> }

const lookEveryMs = 2_000

/** Watches how far another process's checkpoint is behind: reads the same events and waits at the first that it has not passed. */
export const watchAsStandBy = (
  { database, eventStore }: Needs,
  { name, types, batchSize }: Followed,
): StandBy => {
  const closing = new AbortController()
  const { signal } = closing
  const closed = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  const rest = () => pause(lookEveryMs, undefined, { signal }).catch(() => undefined)
  let checkpoint: Position = beginning
  let waiting: { at: number; stillSince: number } | null = null

  const look = async () => {
    const seen = await checkpointSeen(database.pool, name)
    if (waiting && seen !== checkpoint) waiting.stillSince = performance.now()
    checkpoint = seen
  }

  const waitUntilPassed = async ({ position, metadata }: RecordedEvent) => {
    if (checkpoint >= position) return
    waiting = { at: Date.parse(metadata.at), stillSince: performance.now() }
    for (;;) {
      await look()
      if (checkpoint >= position || signal.aborted) break
      await rest()
    }
    waiting = null
  }

  const watch = async () => {
    await look()
    const subscription = eventStore.subscribe({ from: checkpoint, batchSize, types }, async (events) => {
      for (const event of events) await waitUntilPassed(event)
    })
    await Promise.race([subscription.done, closed]).finally(subscription.close)
  }

  const run = async () => {
    while (!signal.aborted) {
      // Tries again after a failed read.
      await watch().catch(() => undefined)
      if (!signal.aborted) await rest()
    }
  }
  const running = run()

  return {
    standing: () =>
      waiting
        ? { waitingSince: waiting.at, standsStillMs: performance.now() - waiting.stillSince }
        : { waitingSince: null, standsStillMs: 0 },
    close: () => {
      closing.abort()
      return running
    },
  }
}
