import type { Pool } from 'pg'
import type { Database, Reader } from '#platform/database'
import {
  beginning,
  readLog,
  type EventStore,
  type Position,
  type RecordedEvent,
} from '#platform/event-store/event-store'
import { openingEvents, type FamilyKeys } from '#platform/event-store/sealed-events'
import type { Lock, Locks } from '#platform/ports'
import {
  checkpointOf,
  isCheckpointMoved,
  viewsCheckpoint,
  checkpointSeen,
  type Checkpoint,
} from './checkpoint'
import type { ContextViews } from './projector'
import { changesOf, touchedKeys, touchReader, loadRows, writeChanges, type Touch } from './row-view'
import { dropShadow, indexShadow, openShadow, swapTables, type Shadow } from './shadow-tables'

const rebuildBatch = 2_000

type RebuildNeeds = {
  database: Pick<Database, 'pool'>
  eventStore: EventStore
  familyKeys: FamilyKeys
  locks: Locks
  contexts: readonly ContextViews[]
  /** Source of the tables' shapes, for damaged tables; the school's own database by default. */
  shapes?: Reader
  onProgress: (done: number, total: number | null) => void
}

/**
 * Fills new tables while the old ones serve, then exchanges them; only then the projectors pause. An interrupted rebuild changes nothing.
 * View tables have only columns, constraints and indexes; a missing or damaged one gets its shape from `shapes`.
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
    // Events appended while the indexes were built.
    await replay(() => undefined)
    await exchange(needs, shadows, replay)
  } catch (error) {
    for (const shadow of shadows) await dropShadow(pool, shadow).catch(() => undefined)
    throw error
  }
}

const maxExchanges = 5

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
    // A projector that lost its lock may still finish its batch.
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

/** Folds new events and answers the last position. */
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
    onProgress(done, total === null ? null : Math.max(done, total))
  }

  return async (onBatch) => {
    const end = await eventStore.end()
    let writing: Promise<unknown> = Promise.resolve()
    /** Returns before the events are written, so that the next read overlaps. */
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
  await writeChanges(pool, changesOf(before, touches), [])
}

const streamsAtOnce = 200

/**
 * Folds these streams again beside the projector, so that rows lose personal values of destroyed keys. Skips views of several streams,
 * which hold none. Repeats when the projector moved; throws when that never ends.
 */
export const refoldStreams = async (
  {
    database: { pool },
    eventStore,
    familyKeys,
  }: { database: { pool: Pool }; eventStore: EventStore; familyKeys: FamilyKeys },
  contexts: readonly ContextViews[],
  streams: readonly string[],
): Promise<void> => {
  const opened = openingEvents(eventStore, familyKeys)
  for (let from = 0; from < streams.length; from += streamsAtOnce)
    for (const context of contexts)
      await refold(pool, opened, context, streams.slice(from, from + streamsAtOnce))
}

const maxTries = 20

const refold = async (
  pool: Pool,
  eventStore: EventStore,
  { name: context, views }: ContextViews,
  streams: string[],
): Promise<void> => {
  const name = viewsCheckpoint(context)
  const touchesOf = touchReader(views.filter((view) => 'evolve' in view))
  for (let tries = 1; ; tries += 1) {
    // Before the events, so that none in the rows is missed.
    const position = await checkpointSeen(pool, name)
    const events = [...(await eventStore.read(streams)).values()].flat()
    const touches = touchesOf(events.filter((event) => event.position <= position))
    if (touches.length === 0) return
    try {
      return await writeChanges(pool, changesOf(new Map(), touches), [{ name, from: position, to: position }])
    } catch (error) {
      if (!isCheckpointMoved(error) || tries === maxTries) throw error
    }
  }
}
