import type { Database } from '#platform/database'
import { beginning, type Position } from '#platform/event-store/event-store'
import type { Log } from '#platform/log'
import type { Notifications } from '#platform/notifications'
import { checkpointOf, viewsCheckpoint } from './checkpoint'

/** Projecting processes announce positions here. */
export const viewsPassedChannel = 'platform_views_passed'

/** By context; null where it fails and is not waited for. */
type Passed = Record<string, Position | null>

export type ViewsWatch = {
  /** Resolves once the views of healthy contexts include `position`; after `waitMs` in any case, and logs that. */
  waitForViews: (position: Position) => Promise<void>
  havePassed: (position: Position) => boolean
  /** Wakes waiting commands in all processes. */
  onPassed: (context: string, position: Position | null) => void
  close: () => void
}

const usualWaitMs = 2_000

/** Lets a command answer once its own write is readable. */
export const viewsWatch = (needs: {
  database: Pick<Database, 'pool'>
  notifications: Notifications
  log: Log
  contexts: readonly string[]
  /** Default 2 s. */
  waitMs?: number | undefined
}): ViewsWatch => {
  const { database, notifications, log, contexts, waitMs = usualWaitMs } = needs
  const passed: Passed = Object.fromEntries(contexts.map((name) => [name, beginning]))
  const waiting = new Map<() => void, Position>()

  const hasPassed = (wanted: Position) =>
    Object.values(passed).every((position) => position === null || position >= wanted)

  const advance = (reached: Passed) => {
    Object.assign(passed, reached)
    for (const [settle, wanted] of waiting) if (hasPassed(wanted)) settle()
  }

  const publish = notifications.publisher(viewsPassedChannel, (earlier, later) =>
    JSON.stringify({ ...JSON.parse(earlier), ...JSON.parse(later) }),
  )

  // A message may be lost. A failing context announces itself when it recovers.
  const lookUp = async () => {
    for (const name of contexts) {
      const position = await checkpointOf(database.pool, viewsCheckpoint(name))
      const known = passed[name]
      if (known !== null && position > (known ?? beginning)) advance({ [name]: position })
    }
  }

  const unsubscribe = notifications.subscribe(viewsPassedChannel, (message) => {
    if (message !== null) return advance(JSON.parse(message) as Passed)
    lookUp().catch((error: unknown) => log.warn({ err: error }, 'how far the views are could not be read'))
  })

  const waitForViews = (position: Position): Promise<void> => {
    if (hasPassed(position)) return Promise.resolve()
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        log.warn({ position, passed }, 'the views are late, so an answer goes out before they show its write')
        settle()
      }, waitMs)
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
    havePassed: hasPassed,
    onPassed: (context, position) => {
      advance({ [context]: position })
      publish(JSON.stringify({ [context]: position }))
    },
    close: () => {
      unsubscribe()
      for (const settle of waiting.keys()) settle()
    },
  }
}
