import type { Pool } from 'pg'
import type { Position, RecordedEvent } from '#platform/event-store/event-store'
import { openingEvents } from '#platform/event-store/sealed-events'
import type { FamilyKeys } from '#platform/family-keys'
import type { Notifications } from '#platform/notifications'
import { viewsCheckpoint } from './checkpoint'
import { followEvents, type Following, type FollowNeeds, type FollowStatus } from './follow-events'
import { changesOf, touchedKeys, touchReader, type RowView } from './row-view'
import { loadRows, writeChanges } from './view-rows'
import { viewsWatch, type ViewsWatch } from './views-watch'

/** The read models of one context: they stand at one place, and fail together. */
export type ContextViews = { name: string; views: readonly RowView[] }

const batchSize = 500

export type Projectors = Pick<ViewsWatch, 'waitForViews' | 'havePassed'> & {
  followings: Following[]
  /** By context. */
  status: () => Record<string, FollowStatus>
  close: () => Promise<void>
}

/**
 * Keeps the views: folds every committed event into their rows, batch by batch, rows and checkpoint in one
 * transaction, so that each event counts once whatever crashes. Each context has a checkpoint of its own: one that
 * fails is tried again for ever, and the others go on. One process at a time projects a context; `waitForViews` answers
 * in all of them. A projector reads every event type, also those no view uses, because the views have passed those too.
 */
export const startProjectors = (
  needs: FollowNeeds & {
    familyKeys: FamilyKeys
    notifications: Notifications
    contexts: readonly ContextViews[]
    /** How long `waitForViews` waits at most. */
    viewsWaitMs?: number | undefined
  },
): Projectors => {
  const { contexts, viewsWaitMs } = needs
  const watch = viewsWatch({ ...needs, contexts: contexts.map(({ name }) => name), waitMs: viewsWaitMs })
  const followings = contexts.map((context) =>
    followEvents(
      { ...needs, eventStore: openingEvents(needs.eventStore, needs.familyKeys, typesOf(context)) },
      {
        name: viewsCheckpoint(context.name),
        batchSize,
        onPassed: (position) => watch.onPassed(context.name, position),
        handle: batchProjector(needs.database.pool, context),
      },
    ),
  )
  return {
    followings,
    status: () => Object.fromEntries(contexts.map(({ name }, index) => [name, followings[index]!.status()])),
    waitForViews: watch.waitForViews,
    havePassed: watch.havePassed,
    close: async () => {
      await Promise.all(followings.map(({ close }) => close()))
      watch.close()
    },
  }
}

const typesOf = ({ views }: ContextViews): Set<string> =>
  new Set(views.flatMap(({ events }) => events.map(({ type }) => type)))

/** Folds one batch into a context's views and moves its checkpoint from `from` to the batch's last event. */
export const batchProjector = (pool: Pool, { name, views }: ContextViews) => {
  const touchesOf = touchReader(views)
  return async (events: RecordedEvent[], from: Position): Promise<Position> => {
    const touches = touchesOf(events)
    const before = await loadRows(pool, touchedKeys(touches))
    const to = events.at(-1)?.position ?? from
    await writeChanges(pool, changesOf(before, touches), { name: viewsCheckpoint(name), from, to })
    return to
  }
}
