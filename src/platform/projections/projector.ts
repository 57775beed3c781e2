import type { Reader, Database } from '#platform/database'
import { beginning, type Position, type RecordedEvent } from '#platform/event-store/event-store'
import { openingEvents, type FamilyKeys } from '#platform/event-store/sealed-events'
import type { Log } from '#platform/log'
import { together } from '#platform/pacing'
import type { Notifications } from '#platform/ports'
import { viewsCheckpoint, watchProgress, checkpointOf, type Move } from './checkpoint'
import { followEvents, type Following, type FollowNeeds, type FollowStatus } from './follow-events'
import {
  changesOf,
  touchedKeys,
  touchReader,
  loadRows,
  writeChanges,
  type RowView,
  type ViewChange,
  type ViewRows,
} from './row-view'

/** They share one checkpoint and fail together. */
export type ContextViews = { name: string; views: readonly RowView[] }

const batchSize = 500

export type Projectors = Pick<ViewsWatch, 'viewsInclude' | 'havePassed'> & {
  followings: Following[]
  look: () => Promise<void>
  /** Tables that were missing at the start and still are. */
  missingTables: () => Promise<MissingTable[]>
  status: () => Record<string, FollowStatus>
  close: () => Promise<void>
}

/**
 * Writes rows and checkpoint of a batch in one transaction, so that each event counts once. Each context has its own checkpoint and is
 * projected by one process at a time; a failing one does not stop the others. Reads every event type, so that its position covers all.
 */
export const startProjectors = (
  needs: FollowNeeds & {
    database: Pick<Database, 'views'>
    familyKeys: FamilyKeys
    notifications: Notifications
    contexts: readonly ContextViews[]
    /** The longest wait of `viewsInclude`. */
    viewsWaitMs?: number | undefined
  },
): Projectors => {
  const { contexts, viewsWaitMs } = needs
  const watch = viewsWatch({ ...needs, contexts: contexts.map(({ name }) => name), waitMs: viewsWaitMs })
  const tables = viewTables(needs.database.views)
  const eventStore = openingEvents(needs.eventStore, needs.familyKeys, typesOf(contexts))
  const checkpoints = contexts.map(({ name }) => viewsCheckpoint(name))
  const progress = watchProgress(needs, checkpoints)
  const followings = contexts.map((context) =>
    followEvents(
      { ...needs, eventStore },
      {
        name: viewsCheckpoint(context.name),
        batchSize,
        standing: () => progress.of(viewsCheckpoint(context.name)),
        onPassed: (position) => watch.onPassed(context.name, position),
        handle: batchProjector(tables, context),
      },
    ),
  )
  return {
    followings,
    look: progress.look,
    missingTables: missingSinceStart(needs.database.pool, contexts),
    status: () => Object.fromEntries(contexts.map(({ name }, index) => [name, followings[index]!.status()])),
    viewsInclude: watch.viewsInclude,
    havePassed: watch.havePassed,
    close: async () => {
      await Promise.all([progress.close(), ...followings.map(({ close }) => close())])
      watch.close()
    },
  }
}

type MissingTable = { context: string; table: string }

// A table that disappears later fails the projector with the database's own error.
const missingSinceStart = (from: Reader, contexts: readonly ContextViews[]) => {
  let atFirst: MissingTable[] | null = null
  const look = async (): Promise<MissingTable[]> => {
    if (atFirst?.length === 0) return []
    const missing = await missingTables(from, contexts)
    atFirst ??= missing
    const stillMissing = new Set(missing.map(({ table }) => table))
    atFirst = atFirst.filter(({ table }) => stillMissing.has(table))
    return atFirst
  }
  look().catch(() => undefined)
  return look
}

export const missingTables = async (
  from: Reader,
  contexts: readonly ContextViews[],
): Promise<MissingTable[]> => {
  const all = contexts.flatMap(({ name, views }) => views.map(({ table }) => ({ context: name, table })))
  const { rows } = await from.query<{ table: string }>(
    'select name as table from unnest($1::text[]) as name where to_regclass(name) is null',
    [all.map(({ table }) => table)],
  )
  const missing = new Set(rows.map(({ table }) => table))
  return all.filter(({ table }) => missing.has(table))
}

const typesOf = (contexts: readonly ContextViews[]): Set<string> =>
  new Set(contexts.flatMap(({ views }) => views.flatMap(({ events }) => events.map(({ type }) => type))))

/** Of the contexts that have a batch in the same turn of the event loop. */
export type ViewTables = {
  load: (keys: ReadonlyMap<RowView, ReadonlySet<string>>) => Promise<ViewRows>
  write: (batch: { changes: readonly ViewChange[]; move: Move }) => Promise<void>
}

/** One read and one write for all that come at once; a context that fails holds up no other. */
export const viewTables = (database: Reader): ViewTables => ({
  load: together(async (asked) => {
    const rows = await loadRows(database, new Map(asked.flatMap((keys) => [...keys])))
    return asked.map((keys) => new Map([...keys.keys()].map((view) => [view, rows.get(view)!])))
  }),
  write: together(async (batches) => {
    const changes = batches.flatMap((batch) => batch.changes)
    await writeChanges(
      database,
      changes,
      batches.map(({ move }) => move),
    )
    return batches.map(() => undefined)
  }),
})

export const batchProjector = (tables: ViewTables, { name, views }: ContextViews) => {
  const touchesOf = touchReader(views)
  return async (events: RecordedEvent[], from: Position): Promise<Position> => {
    const touches = touchesOf(events)
    const before = await tables.load(touchedKeys(touches))
    const to = events.at(-1)?.position ?? from
    await tables.write({
      changes: changesOf(before, touches),
      move: { name: viewsCheckpoint(name), from, to },
    })
    return to
  }
}

/** Projecting processes announce positions here. */
export const viewsPassedChannel = 'platform_views_passed'

/** By context; null where it fails and is not waited for. */
type Passed = Record<string, Position | null>

type ViewsWatch = {
  /** Resolves once the views of healthy contexts include `position`; after `waitMs` in any case, and logs that. */
  viewsInclude: (position: Position) => Promise<void>
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

  const viewsInclude = (position: Position): Promise<void> => {
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
    viewsInclude,
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
