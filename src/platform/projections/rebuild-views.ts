import type { Pool } from 'pg'
import type { Database, Reader } from '#platform/database'
import {
  beginning,
  type EventStore,
  type Position,
  type RecordedEvent,
} from '#platform/event-store/event-store'
import { openingEvents } from '#platform/event-store/sealed-events'
import { readLog } from '#platform/event-store/read-log'
import type { Lock, Locks } from '#platform/locks'
import { checkpointOf, isCheckpointMoved, viewsCheckpoint, type Checkpoint } from './checkpoint'
import type { ContextViews } from './projector'
import { changesOf, touchedKeys, touchReader, type Touch } from './row-view'
import type { FamilyKeys } from '#platform/family-keys'
import { dropShadow, indexShadow, openShadow, swapTables, type Shadow } from './shadow-tables'
import { loadRows, writeChanges } from './view-rows'

const rebuildBatch = 2_000

type RebuildNeeds = {
  database: Pick<Database, 'pool'>
  eventStore: EventStore
  familyKeys: FamilyKeys
  locks: Locks
  contexts: readonly ContextViews[]
  /** A database whose tables are whole, from which the new ones get their shape; the school's own where it is absent. */
  shapes?: Reader
  onProgress: (done: number, total: number | null) => void
}

/**
 * Folds all events into new tables of the views and puts these in the place of the old ones. The old ones serve and
 * follow new events meanwhile; only for the last events and the exchange it takes over the projectors' locks, so a
 * running server stands still for a moment. If it is cut off, nothing has changed. `onProgress` is told the events done,
 * and how many there are where the store can tell. A view's table has nothing but columns, constraints of its own and
 * indexes; one that is missing or damaged is made again in the shape that it has in `shapes`.
 */
export const rebuildViews = async (needs: RebuildNeeds): Promise<void> => {
  const { pool } = needs.database
  const shadows: Shadow[] = []
  try {
    for (const view of needs.contexts.flatMap(({ views }) => views))
      shadows.push(await openShadow(pool, view, needs.shapes ?? pool))
    const replay = replaying(needs, shadows)
    await replay(() => undefined)
    await Promise.all(shadows.map((shadow) => indexShadow(pool, shadow)))
    // What was appended while the indexes were made.
    await replay(() => undefined)
    await exchange(needs, shadows, replay)
  } catch (error) {
    for (const shadow of shadows) await dropShadow(pool, shadow).catch(() => undefined)
    throw error
  }
}

const maxExchanges = 5

/** Folds in the last events and lets the new tables take the old ones' places, while no projector works. */
const exchange = async (
  { database: { pool }, locks, contexts }: RebuildNeeds,
  shadows: readonly Shadow[],
  replay: Replay,
): Promise<void> => {
  const names = contexts.map(({ name }) => viewsCheckpoint(name))
  const held: Lock[] = []
  let isLost = false
  const refuseLost = () => {
    if (isLost) throw new Error('Another process has taken over the views while they were rebuilt')
  }
  try {
    for (const name of names) held.push(await locks.takeOver(name))
    for (const { lost } of held) void lost.then(() => (isLost = true))
    // The batch that a projector had in hand when it lost its lock may still move its checkpoint.
    for (let attempt = 1; ; attempt += 1) {
      const checkpoints: Checkpoint[] = []
      for (const name of names) checkpoints.push({ name, position: await checkpointOf(pool, name) })
      const to = await replay(refuseLost)
      refuseLost()
      const moves = checkpoints.map(({ name, position }) => ({ name, from: position, to }))
      try {
        return await swapTables(pool, shadows, moves)
      } catch (error) {
        if (!isCheckpointMoved(error) || attempt === maxExchanges) throw error
      }
    }
  } finally {
    for (const lock of held) await lock.end()
  }
}

/** Folds in what is new since the last time; answers the position of the last event that was. */
type Replay = (onBatch: () => void) => Promise<Position>

const replaying = (
  { database: { pool }, eventStore: sealed, familyKeys, onProgress }: RebuildNeeds,
  shadows: readonly Shadow[],
): Replay => {
  const eventStore = openingEvents(sealed, familyKeys)
  const touchesOf = touchReader(shadows.map(({ view }) => view))
  let position = beginning
  let done = 0

  const write = async (touches: Touch[], events: number, total: number | null) => {
    await Promise.all(
      shadows.map(({ view }) => {
        const own = touches.filter((touch) => touch.view === view)
        return own.length > 0 ? fill(pool, own) : null
      }),
    )
    done += events
    // Events appended meanwhile are part of the last batches.
    onProgress(done, total === null ? null : Math.max(done, total))
  }

  return async (onBatch) => {
    const end = await eventStore.end()
    let writing: Promise<unknown> = Promise.resolve()
    /** Returns while its events are still being written, so that the next ones are read meanwhile. */
    const deliver = async (events: RecordedEvent[]) => {
      onBatch()
      const touches = touchesOf(events)
      await writing
      writing = write(touches, events.length, end.events)
      writing.catch(() => undefined)
      position = events.at(-1)?.position ?? position
    }
    await readLog(eventStore, end, rebuildBatch, deliver, position)
    await writing
    return position
  }
}

const fill = async (pool: Pool, touches: readonly Touch[]): Promise<void> => {
  const before = await loadRows(pool, touchedKeys(touches))
  await writeChanges(pool, changesOf(before, touches), null)
}
