import type { Database } from '#platform/database'
import { beginning } from '#platform/event-store/event-store'
import type { EventStore, Position, RecordedEvent } from '#platform/event-store/event-store'
import type { Turn, Turns } from '#platform/turns'
import { checkpointOf, viewsCheckpoint } from './checkpoint'
import { batchProjector } from './batch-projector'
import type { RowView } from './row-view'
import { clearViews } from './view-rows'

const rebuildBatch = 2_000

/**
 * Empties the views and folds all events into them again. It seizes the projector's turn, so it works beside running
 * servers: they stand by meanwhile and go on afterwards. If it is cut off, a projector goes on where it was.
 * `onProgress` is told the events done, and how many there are where the store can tell.
 */
export const rebuildViews = async (needs: {
  database: Pick<Database, 'pool'>
  eventStore: EventStore
  turns: Turns
  views: readonly RowView[]
  onProgress: (done: number, total: number | null) => void
}): Promise<void> => {
  const { database, eventStore, turns, views } = needs
  const turn = await turns.seize(viewsCheckpoint)
  try {
    const end = await eventStore.end()
    const from = await checkpointOf(database.pool, viewsCheckpoint)
    await clearViews(database.pool, views, { name: viewsCheckpoint, from, to: beginning })
    if (end.position !== beginning) await replay(needs, turn, end)
  } finally {
    await turn.end()
  }
}

const replay = async (
  needs: Parameters<typeof rebuildViews>[0],
  turn: Turn,
  end: { position: Position; events: number | null },
): Promise<void> => {
  const { database, eventStore, views, onProgress } = needs
  const project = batchProjector(database.pool, views)
  const reached = new AbortController()
  let position = beginning
  let done = 0

  const deliver = async (events: RecordedEvent[]) => {
    if (reached.signal.aborted) return
    position = await project(events, position)
    done += events.length
    // Events appended meanwhile are part of the last batches.
    onProgress(done, end.events === null ? null : Math.max(done, end.events))
    if (position >= end.position) reached.abort()
  }

  const subscription = eventStore.subscribe({ from: beginning, batchSize: rebuildBatch }, deliver)
  const complete = new Promise<void>((resolve) => {
    reached.signal.addEventListener('abort', () => resolve(), { once: true })
  })
  const lost = async () => {
    await turn.lost
    throw new Error('Another process has taken over the views while they were rebuilt')
  }
  try {
    await Promise.race([complete, subscription.done, lost()])
  } finally {
    await subscription.close()
  }
}
