import type { Notifications } from '#platform/notifications'
import { carefulProjector } from './careful-projector'
import { viewsCheckpoint } from './checkpoint'
import { followEvents } from './follow-events'
import type { Following, FollowNeeds } from './follow-events'
import type { RowView } from './row-view'
import { viewsAside } from './views-aside'
import type { ViewAside } from './views-aside'
import { viewsWatch } from './views-passed'
import type { ViewsWatch } from './views-passed'

const liveBatch = 500

export type Projector = Following &
  Pick<ViewsWatch, 'waitForViews'> & {
    /** The views that stand still while the others go on. */
    aside: () => Promise<ViewAside[]>
  }

/**
 * Keeps the views: folds every committed event into their rows, batch by batch, rows and checkpoint in one
 * transaction, so that each event counts once whatever crashes. One process at a time does so; `waitForViews` answers
 * in all of them. It hears every event type, also those no view wants, because the views have passed those too.
 * A view that fails for ever is put aside, and the others go on; see careful-projector.ts.
 */
export const startProjector = (
  needs: FollowNeeds & { notifications: Notifications; views: readonly RowView[] },
): Projector => {
  const watch = viewsWatch(needs)
  const { onLock, handle } = carefulProjector(needs)
  const plan = { name: viewsCheckpoint, batchSize: liveBatch, onPassed: watch.onPassed, onLock, handle }
  const following = followEvents(needs, plan)
  const close = async () => {
    await following.close()
    watch.close()
  }
  return {
    status: following.status,
    waitForViews: watch.waitForViews,
    aside: () => viewsAside(needs.database.pool),
    close,
  }
}
