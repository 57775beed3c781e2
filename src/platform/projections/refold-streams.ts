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
 * Makes the rows of these streams again, beside a running projector, which stays where it is: rows whose personal values
 * nobody can read any more lose them. Views of rows that several streams make keep no such values and stay. Where the projector moved meanwhile,
 * it tries again; throws when that never ends, and may be repeated then.
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
    // Read before the events: none that the rows have already is left out.
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
