import type { Pool } from 'pg'
import type { EventStore } from '#platform/event-store/event-store'
import { openingEvents } from '#platform/event-store/sealed-events'
import type { FamilyKeys } from '#platform/family-keys'
import { checkpointSeen, isCheckpointMoved, viewsCheckpoint } from './checkpoint'
import type { ContextViews } from './projector'
import { changesOf, touchReader } from './row-view'
import { writeChanges } from './view-rows'

const streamsAtOnce = 200

/**
 * Folds these streams again beside the projector, so that rows lose personal values of destroyed keys. Skips views of several streams,
 * which hold none. Repeats when the projector moved; throws when that never ends.
 */
export const refoldStreams = async (
  {
    database: { pool },
    eventStore,
    familyKeys,
  }: { database: { pool: Pool }; eventStore: EventStore; familyKeys: FamilyKeys },
  contexts: readonly ContextViews[],
  streams: readonly string[],
): Promise<void> => {
  const opened = openingEvents(eventStore, familyKeys)
  for (let from = 0; from < streams.length; from += streamsAtOnce)
    for (const context of contexts)
      await refold(pool, opened, context, streams.slice(from, from + streamsAtOnce))
}

const maxTries = 20

const refold = async (
  pool: Pool,
  eventStore: EventStore,
  { name: context, views }: ContextViews,
  streams: string[],
): Promise<void> => {
  const name = viewsCheckpoint(context)
  const touchesOf = touchReader(views.filter((view) => 'evolve' in view))
  for (let tries = 1; ; tries += 1) {
    // Before the events, so that none in the rows is missed.
    const position = await checkpointSeen(pool, name)
    const events = [...(await eventStore.read(streams)).values()].flat()
    const touches = touchesOf(events.filter((event) => event.position <= position))
    if (touches.length === 0) return
    try {
      return await writeChanges(pool, changesOf(new Map(), touches), { name, from: position, to: position })
    } catch (error) {
      if (!isCheckpointMoved(error) || tries === maxTries) throw error
    }
  }
}
