import type { Pool } from 'pg'
import type { EventStore } from '#platform/event-store/event-store'
import { openingEvents } from '#platform/event-store/sealed-events'
import type { FamilyKeys } from '#platform/family-keys'
import { checkpointSeen, viewsCheckpoint } from './checkpoint'
import type { ContextViews } from './projector'
import { changesOf, touchReader } from './row-view'
import { writeChanges } from './view-rows'

const streamsAtOnce = 200

/**
 * Makes the rows of these streams again, beside a running projector, which stays where it is: rows whose personal values
 * nobody can read any more lose them. A view's row is made of one stream's events. Throws when the projector moved
 * meanwhile; nothing of that piece has changed then, and it may be repeated.
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
  for (let from = 0; from < streams.length; from += streamsAtOnce) {
    const events = [...(await opened.read(streams.slice(from, from + streamsAtOnce))).values()].flat()
    for (const { name: context, views } of contexts) {
      const name = viewsCheckpoint(context)
      const position = await checkpointSeen(pool, name)
      const touches = touchReader(views)(events.filter((event) => event.position <= position))
      if (touches.length === 0) continue
      await writeChanges(pool, changesOf(new Map(), touches), { name, from: position, to: position })
    }
  }
}
