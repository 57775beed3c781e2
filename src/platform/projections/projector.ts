import type { Pool } from 'pg'
import type { Position, RecordedEvent } from '#platform/event-store/event-store'
import type { Notices } from '#platform/notices'
import { viewsCheckpoint } from './checkpoint'
import { followEvents } from './follow-events'
import type { Following, FollowNeeds } from './follow-events'
import type { RowView } from './row-view'
import { foldTouches, touchedKeys, touchReader } from './view-fold'
import { loadRows, writeChanges } from './view-rows'
import { viewsPassedWatch } from './views-passed'
import type { ViewsPassedWatch } from './views-passed'

const liveBatch = 500

export type Projector = Following & Pick<ViewsPassedWatch, 'viewsPassed'>

/**
 * Keeps the views: folds every committed event into their rows, batch by batch, rows and checkpoint in one
 * transaction, so that each event counts once whatever crashes. One process at a time does so; `viewsPassed` answers
 * in all of them. It hears every event type, also those no view wants, because the views have passed those too.
 */
export const startProjector = (
  needs: FollowNeeds & { notices: Notices; views: readonly RowView[] },
): Projector => {
  const { database, views } = needs
  const watch = viewsPassedWatch(needs)
  const following = followEvents(needs, {
    name: viewsCheckpoint,
    batchSize: liveBatch,
    onPassed: watch.onPassed,
    handle: batchProjector(database.pool, views),
  })
  const close = async () => {
    await following.close()
    watch.close()
  }
  return { status: following.status, viewsPassed: watch.viewsPassed, close }
}

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
