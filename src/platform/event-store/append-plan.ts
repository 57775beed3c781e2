import {
  beginning,
  noStream,
  WrongExpectedRevision,
  type NewEvent,
  type Position,
  type StreamAppend,
} from './event-store'

export type StoredPlace = { stream: string; revision: number; position: Position }

/** Drops appends without events. Throws WrongExpectedRevision when a second append to a stream does not continue the first. */
export const appendsWithEvents = (appends: readonly StreamAppend[]): StreamAppend[] => {
  const next = new Map<string, number>()
  const filled = appends.filter(({ events }) => events.length > 0)
  for (const { stream, expectedRevision, events } of filled) {
    if ((next.get(stream) ?? expectedRevision) !== expectedRevision)
      throw new WrongExpectedRevision(stream, expectedRevision)
    next.set(stream, expectedRevision + events.length)
  }
  return filled
}

/** Neighbouring streams of one kind (`mealSlot-…`) form a group; a stream that comes again begins the next group, and so does one `alone` or after it. */
export const appendGroups = (appends: readonly StreamAppend[]): StreamAppend[][] => {
  const groups: StreamAppend[][] = []
  for (const append of appends) {
    const group = groups.at(-1)
    const joins =
      group !== undefined &&
      !group[0]!.alone &&
      !append.alone &&
      kindOf(group[0]!) === kindOf(append) &&
      group.every(({ stream }) => stream !== append.stream)
    if (joins) group.push(append)
    else groups.push([append])
  }
  return groups
}

const kindOf = ({ stream }: StreamAppend) => stream.split('-', 1)[0]

/** Throws WrongExpectedRevision for the first stream that is not at its expected revision. */
export const refuseConflict = (
  appends: readonly StreamAppend[],
  lastRevision: (stream: string) => number | undefined,
): void => {
  const checked = new Set<string>()
  for (const { stream, expectedRevision } of appends) {
    if (!checked.has(stream) && (lastRevision(stream) ?? noStream) !== expectedRevision)
      throw new WrongExpectedRevision(stream, expectedRevision)
    checked.add(stream)
  }
}

/** Separates appends that are already stored in their exact place. `passed` is the latest position among those. */
export const recognised = (
  appends: readonly StreamAppend[],
  storedPlaces: ReadonlyMap<string, StoredPlace>,
): { missing: StreamAppend[]; passed: Position } => {
  let passed = beginning
  const missing = appends.filter((append) => {
    const position = repeatedAt(append, storedPlaces)
    if (position !== null && position > passed) passed = position
    return position === null
  })
  return { missing, passed }
}

const repeatedAt = (
  { stream, expectedRevision, events }: StreamAppend,
  storedPlaces: ReadonlyMap<string, StoredPlace>,
): Position | null => {
  let last: Position | null = null
  for (const [index, { id }] of events.entries()) {
    const place = storedPlaces.get(id)
    if (place?.stream !== stream || place.revision !== expectedRevision + 1 + index) return null
    last = place.position
  }
  return last
}

/** Bytes of JSON in UTF-8. */
export const maxEventBytes = 1_048_576

/** Throws when the data is larger than `maxEventBytes`. */
export const eventJson = ({ type, data }: NewEvent): string => {
  const text = JSON.stringify(data)
  const bytes = Buffer.byteLength(text)
  if (bytes > maxEventBytes)
    throw new Error(
      `An event ${type} of ${bytes} bytes is too large: at most ${maxEventBytes} bytes are stored`,
    )
  return text
}
