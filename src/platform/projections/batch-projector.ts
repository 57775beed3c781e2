import type { Pool } from 'pg'
import type { Position, RecordedEvent } from '#platform/event-store/event-store'
import { viewsCheckpoint } from './checkpoint'
import type { RowView } from './row-view'
import { foldTouches, touchedKeys, touchReader } from './view-fold'
import { loadRows, writeChanges } from './view-rows'

/** Folds one batch into the views and moves the checkpoint from `from` to its last event. */
export const batchProjector = (pool: Pool, views: readonly RowView[]) => {
  const touchesOf = touchReader(views)
  return async (events: RecordedEvent[], from: Position): Promise<Position> => {
    const touches = touchesOf(events)
    const before = await loadRows(pool, touchedKeys(touches))
    const to = events.at(-1)?.position ?? from
    await writeChanges(pool, foldTouches(touches, before), { name: viewsCheckpoint, from, to })
    return to
  }
}
