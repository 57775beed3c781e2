import type { Position, RecordedEvent } from './event-store'

/** An event as it leaves its store: as text with everything but its position, which means nothing elsewhere. */
export type LogLine = { id: string; position: Position; text: string }

/** `recordedAt` is when the store took it in, an ISO instant; null where that is not known. */
export type LoggedEvent = Omit<RecordedEvent, 'position' | 'recordedAt'> & { recordedAt: string | null }

export const readLogLine = (text: string): LoggedEvent => JSON.parse(text) as LoggedEvent

export const logLine = (event: RecordedEvent): LogLine => {
  const { id, position, stream, revision, type, data, metadata, recordedAt = null } = event
  const logged: LoggedEvent = { stream, revision, id, type, data, metadata, recordedAt }
  return { id, position, text: JSON.stringify(logged) }
}
