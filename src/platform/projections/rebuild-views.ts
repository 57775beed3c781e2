import type { Pool } from 'pg'
import type { Database } from '#platform/database'
import {
  beginning,
  type EventStore,
  type Position,
  type RecordedEvent,
} from '#platform/event-store/event-store'
import { openingEvents } from '#platform/event-store/sealed-events'
import { readLog } from '#platform/event-store/read-log'
import type { Lock, Locks } from '#platform/locks'
import { checkpointOf, viewsCheckpoint, type Checkpoint } from './checkpoint'
import type { ContextViews } from './projector'
import { changesOf, touchedKeys, touchReader, type Touch } from './row-view'
import { dropShadow, indexShadow, openShadow, takeTheirPlaces, type Shadow } from './shadow-tables'
import { loadRows, writeChanges } from './view-rows'

const rebuildBatch = 2_000

/**
 * Folds all events into new tables of the views and puts these in the place of the old ones. It takes over their
 * locks, so it works beside running servers: they show the views as they were meanwhile and go on with the new ones
 * afterwards. If it is cut off, nothing has changed. `onProgress` is told the events done, and how many there are where
 * the store can tell. A view's table has nothing but columns, constraints of its own and indexes.
 */
export const rebuildViews = async (needs: {
  database: Pick<Database, 'pool'>
  eventStore: EventStore
  locks: Locks
  contexts: readonly ContextViews[]
  onProgress: (done: number, total: number | null) => void
}): Promise<void> => {
  const { eventStore, locks, contexts } = needs
  const { pool } = needs.database
  const names = contexts.map(({ name }) => viewsCheckpoint(name))
  const held: Lock[] = []
  const shadows: Shadow[] = []
  try {
    for (const name of names) held.push(await locks.takeOver(name))
    const end = await eventStore.end()
    const checkpoints: Checkpoint[] = []
    for (const name of names) checkpoints.push({ name, position: await checkpointOf(pool, name) })
    for (const view of contexts.flatMap(({ views }) => views)) shadows.push(await openShadow(pool, view))
    const to = await replay(needs, shadows, held, end)
    await Promise.all(shadows.map((shadow) => indexShadow(pool, shadow)))
    const moves = checkpoints.map(({ name, position }) => ({ name, from: position, to }))
    await takeTheirPlaces(pool, shadows, moves)
  } catch (error) {
    for (const shadow of shadows) await dropShadow(pool, shadow).catch(() => undefined)
    throw error
  } finally {
    for (const lock of held) await lock.end()
  }
}

/** Answers the position of the last event that it has folded in. */
const replay = async (
  { database: { pool }, eventStore: sealed, onProgress }: Parameters<typeof rebuildViews>[0],
  shadows: readonly Shadow[],
  held: readonly Lock[],
  end: { position: Position; events: number | null },
): Promise<Position> => {
  const touchesOf = touchReader(shadows.map(({ view }) => view))
  let position = beginning
  let done = 0
  let writing: Promise<unknown> = Promise.resolve()
  let isLost = false
  for (const { lost } of held) void lost.then(() => (isLost = true))

  const write = async (touches: Touch[], events: number) => {
    await Promise.all(
      shadows.map(({ view }) => {
        const own = touches.filter((touch) => touch.view === view)
        return own.length > 0 ? fill(pool, own) : null
      }),
    )
    done += events
    // Events appended meanwhile are part of the last batches.
    onProgress(done, end.events === null ? null : Math.max(done, end.events))
  }
  /** Returns while its events are still being written, so that the next ones are read meanwhile. */
  const deliver = async (events: RecordedEvent[]) => {
    if (isLost) throw new Error('Another process has taken over the views while they were rebuilt')
    const touches = touchesOf(events)
    await writing
    writing = write(touches, events.length)
    writing.catch(() => undefined)
    position = events.at(-1)?.position ?? position
  }

  await readLog(openingEvents(sealed, pool), end, rebuildBatch, deliver)
  await writing
  return position
}

const fill = async (pool: Pool, touches: readonly Touch[]): Promise<void> => {
  const before = await loadRows(pool, touchedKeys(touches))
  await writeChanges(pool, changesOf(before, touches), null)
}
