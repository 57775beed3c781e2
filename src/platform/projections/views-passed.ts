import type { Database } from '#platform/database'
import { beginning } from '#platform/event-store/event-store'
import type { Position } from '#platform/event-store/event-store'
import type { Log } from '#platform/log'
import type { Notifications } from '#platform/notifications'
import { checkpointOf, viewsCheckpoint } from './checkpoint'

/** The channel on which the projecting process tells the others how far the views are. */
export const viewsPassedChannel = 'platform_views_passed'

export type ViewsWatch = {
  /** Resolves once the views contain everything up to `position`; after 2 s in any case, which is logged. */
  waitForViews: (position: Position) => Promise<void>
  /** Told by the projector of this process; wakes who waits here and in the other processes. */
  onPassed: (position: Position) => void
  close: () => void
}

const longestWaitMs = 2_000

/** Lets commands answer once their own write can be read, whichever process projects. */
export const viewsWatch = (needs: {
  database: Pick<Database, 'pool'>
  notifications: Notifications
  log: Log
}): ViewsWatch => {
  const { database, notifications, log } = needs
  const waiting = new Map<() => void, Position>()
  let passed = beginning

  const advance = (position: Position) => {
    if (position <= passed) return
    passed = position
    for (const [resolve, wanted] of waiting) if (wanted <= passed) resolve()
  }

  const publish = notifications.publisher(viewsPassedChannel, (_, later) => later)

  // A notice may have been missed: the checkpoint itself tells.
  const lookUp = () =>
    checkpointOf(database.pool, viewsCheckpoint)
      .then(advance)
      .catch((error: unknown) => log.warn({ err: error }, 'how far the views are could not be read'))

  const unsubscribe = notifications.subscribe(viewsPassedChannel, (position) =>
    position === null ? void lookUp() : advance(position),
  )

  const waitForViews = (position: Position): Promise<void> => {
    if (position <= passed) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        log.warn({ position, passed }, 'the views are late, so an answer goes out before they show its write')
        settle()
      }, longestWaitMs)
      const settle = () => {
        clearTimeout(timer)
        waiting.delete(settle)
        resolve()
      }
      waiting.set(settle, position)
    })
  }

  return {
    waitForViews,
    onPassed: (position) => {
      advance(position)
      publish(position)
    },
    close: () => {
      unsubscribe()
      for (const settle of waiting.keys()) settle()
    },
  }
}
