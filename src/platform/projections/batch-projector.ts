import type { Pool } from 'pg'
import type { Position, RecordedEvent } from '#platform/event-store/event-store'
import { moveCheckpointSql, viewsCheckpoint } from './checkpoint'
import { changesOf, touchedKeys, touchReader, type RowView } from './row-view'
import { loadRows, writeChanges } from './view-rows'

/**
 * Folds one batch into the views and moves a checkpoint from `from` to its last event: that of all views, or the one of
 * that name that `moveSql` moves.
 */
export const batchProjector = (
  pool: Pool,
  views: readonly RowView[],
  name = viewsCheckpoint,
  moveSql = moveCheckpointSql,
) => {
  const touchesOf = touchReader(views)
  return async (events: RecordedEvent[], from: Position): Promise<Position> => {
    const touches = touchesOf(events)
    const before = await loadRows(pool, touchedKeys(touches))
    const to = events.at(-1)?.position ?? from
    await writeChanges(pool, changesOf(before, touches), { name, from, to }, moveSql)
    return to
  }
}
