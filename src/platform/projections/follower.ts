import type { Position, RecordedEvent } from '#platform/event-store/event-store'
import { moveCheckpoint } from './checkpoint'
import { followEvents } from './follow-events'
import type { Following, FollowNeeds } from './follow-events'

const batchSize = 100
const restMs = 50

/**
 * Hands events of some types to `handle`, one after another, at least once each, on one process at a time. A failing
 * event is tried again until it succeeds; those behind it wait. A name that is new starts with the first event.
 */
export const startFollower = (
  needs: FollowNeeds & {
    name: string
    types: readonly string[]
    handle: (event: RecordedEvent) => Promise<void>
  },
): Following => {
  const { database, types, handle } = needs
  const name = `follower ${needs.name}`

  const handleBatch = async (events: RecordedEvent[], from: Position): Promise<Position> => {
    let to = from
    try {
      for (const event of events) {
        await handle(event)
        to = event.position
      }
    } finally {
      if (to !== from) await moveCheckpoint(database.pool, { name, from, to })
    }
    return to
  }

  return followEvents(needs, { name, types, batchSize, restMs, handle: handleBatch })
}
