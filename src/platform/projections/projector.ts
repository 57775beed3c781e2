import type { Pool } from 'pg'
import type { Reader } from '#platform/database'
import type { Position, RecordedEvent } from '#platform/event-store/event-store'
import { openingEvents } from '#platform/event-store/sealed-events'
import type { FamilyKeys } from '#platform/family-keys'
import type { Notifications } from '#platform/notifications'
import { moveCheckpoint, movesTogether, viewsCheckpoint, type MoveCheckpoint } from './checkpoint'
import { followEvents, type Following, type FollowNeeds, type FollowStatus } from './follow-events'
import { watchProgress } from './progress'
import { changesOf, touchedKeys, touchReader, type RowView } from './row-view'
import { loadRows, writeChanges } from './view-rows'
import { viewsWatch, type ViewsWatch } from './views-watch'

/** They share one checkpoint and fail together. */
export type ContextViews = { name: string; views: readonly RowView[] }

const batchSize = 500

export type Projectors = Pick<ViewsWatch, 'waitForViews' | 'havePassed'> & {
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
    familyKeys: FamilyKeys
    notifications: Notifications
    contexts: readonly ContextViews[]
    /** The longest wait of `waitForViews`. */
    viewsWaitMs?: number | undefined
  },
): Projectors => {
  const { contexts, viewsWaitMs } = needs
  const watch = viewsWatch({ ...needs, contexts: contexts.map(({ name }) => name), waitMs: viewsWaitMs })
  const moveAlone = movesTogether(needs.database.pool)
  const checkpoints = contexts.map(({ name }) => viewsCheckpoint(name))
  const progress = watchProgress(needs, checkpoints)
  const followings = contexts.map((context) =>
    followEvents(
      { ...needs, eventStore: openingEvents(needs.eventStore, needs.familyKeys, typesOf(context)) },
      {
        name: viewsCheckpoint(context.name),
        batchSize,
        standing: () => progress.of(viewsCheckpoint(context.name)),
        onPassed: (position) => watch.onPassed(context.name, position),
        handle: batchProjector(needs.database.pool, context, moveAlone),
      },
    ),
  )
  return {
    followings,
    look: progress.look,
    missingTables: missingSinceStart(needs.database.pool, contexts),
    status: () => Object.fromEntries(contexts.map(({ name }, index) => [name, followings[index]!.status()])),
    waitForViews: watch.waitForViews,
    havePassed: watch.havePassed,
    close: async () => {
      await Promise.all([progress.close(), ...followings.map(({ close }) => close())])
      watch.close()
    },
  }
}

export type MissingTable = { context: string; table: string }

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

const typesOf = ({ views }: ContextViews): Set<string> =>
  new Set(views.flatMap(({ events }) => events.map(({ type }) => type)))

export const batchProjector = (
  pool: Pool,
  { name, views }: ContextViews,
  moveAlone: MoveCheckpoint = (move) => moveCheckpoint(pool, move),
) => {
  const touchesOf = touchReader(views)
  return async (events: RecordedEvent[], from: Position): Promise<Position> => {
    const touches = touchesOf(events)
    const before = await loadRows(pool, touchedKeys(touches))
    const to = events.at(-1)?.position ?? from
    const changes = changesOf(before, touches)
    const move = { name: viewsCheckpoint(name), from, to }
    const isNoChange = changes.every(({ written, deleted }) => written.length + deleted.length === 0)
    await (isNoChange ? moveAlone(move) : writeChanges(pool, changes, move))
    return to
  }
}
