import { beginning, type EventStore, type Position, type RecordedEvent, type StoreEnd } from './event-store'

/** Hands over every event up to `end` once, in order, and resolves when all are handled. Events appended meanwhile may be included. */
export const readLog = async (
  eventStore: Pick<EventStore, 'subscribe'>,
  end: Pick<StoreEnd, 'position'>,
  batchSize: number,
  onBatch: (events: RecordedEvent[]) => Promise<void>,
  from: Position = beginning,
): Promise<void> => {
  if (end.position <= from) return
  const reached = new AbortController()
  const complete = new Promise<void>((resolve) => {
    reached.signal.addEventListener('abort', () => resolve(), { once: true })
  })
  const subscription = eventStore.subscribe({ from, batchSize }, async (events) => {
    if (reached.signal.aborted) return
    await onBatch(events)
    const position: Position = events.at(-1)?.position ?? beginning
    if (position >= end.position) reached.abort()
  })
  try {
    await Promise.race([complete, subscription.done])
  } finally {
    await subscription.close()
  }
}

/** Without its position, which means nothing in another store. */
export type LogLine = { id: string; position: Position; text: string }

/** `recordedAt` is an ISO instant, null when unknown. */
export type LoggedEvent = Omit<RecordedEvent, 'position' | 'recordedAt'> & { recordedAt: string | null }

export const readLogLine = (text: string): LoggedEvent => JSON.parse(text) as LoggedEvent

export const logLine = (event: RecordedEvent): LogLine => {
  const { id, position, stream, revision, type, data, metadata, recordedAt = null } = event
  const logged: LoggedEvent = { stream, revision, id, type, data, metadata, recordedAt }
  return { id, position, text: JSON.stringify(logged) }
}
