import type { Position, RecordedEvent } from './event-store'

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
