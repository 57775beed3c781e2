import { isDeepStrictEqual } from 'node:util'
import type { RecordedEvent } from '#platform/event-store/event-store'
import type { LoggedEvent } from '#platform/event-store/log-line'

const parts = ['type', 'data', 'metadata'] as const

/** What is not the same in the copy of one stream, a sentence each; none when it is an exact copy. */
export const differencesOf = (
  stream: string,
  original: readonly LoggedEvent[],
  copy: readonly RecordedEvent[],
): string[] => {
  const words = original.flatMap((event, index) => differencesAt(stream, event, copy[index]))
  const more = copy.length - original.length
  return more > 0
    ? [...words, `Stream ${stream} has ${more} more ${more === 1 ? 'event' : 'events'} there.`]
    : words
}

const differencesAt = (stream: string, event: LoggedEvent, there: RecordedEvent | undefined): string[] => {
  const named = `Event ${event.revision} of stream ${stream} (${event.type}, ${event.id})`
  if (!there) return [`${named} is missing there.`]
  if (there.id !== event.id) return [`${named} is another one there: ${there.id}.`]
  const other = parts.filter((part) => !isDeepStrictEqual(there[part], event[part]))
  return [
    ...(there.revision === event.revision ? [] : [`${named} has the revision ${there.revision} there.`]),
    ...(other.length > 0 ? [`${named} has other ${other.join(' and ')} there.`] : []),
  ]
}
