import { readLog, type EventStore, type RecordedEvent } from '#platform/event-store/event-store'

/** All that stands in the store now, whichever store it is, in order. */
export const everyEvent = async (eventStore: EventStore): Promise<RecordedEvent[]> => {
  const all: RecordedEvent[] = []
  await readLog(eventStore, await eventStore.end(), 500, async (events) => void all.push(...events))
  return all
}
