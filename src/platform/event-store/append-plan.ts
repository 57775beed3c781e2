import {
  beginning,
  noStream,
  WrongExpectedRevision,
  type NewEvent,
  type Position,
  type StreamAppend,
} from './event-store'

/** Where an event that is already stored stands. */
export type StoredPlace = { stream: string; revision: number; position: Position }

/**
 * What is left to store: the appends that hold events. Throws WrongExpectedRevision when a stream stands there twice
 * and does not go on where it left off.
 */
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

/**
 * Cuts appends into groups, in their order. Streams of one kind (`mealSlot-…`) that follow one another are a group: they do
 * not depend on each other. A stream that stands there again begins the next one.
 */
export const appendGroups = (appends: readonly StreamAppend[]): StreamAppend[][] => {
  const groups: StreamAppend[][] = []
  for (const append of appends) {
    const group = groups.at(-1)
    const joins =
      group !== undefined &&
      kindOf(group[0]!) === kindOf(append) &&
      group.every(({ stream }) => stream !== append.stream)
    if (joins) group.push(append)
    else groups.push([append])
  }
  return groups
}

const kindOf = ({ stream }: StreamAppend) => stream.split('-', 1)[0]

/** Throws the conflict by the name of the first stream that is not where it is expected. */
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

/**
 * Tells the appends whose events are all stored already, at the very place they are meant for, from the others.
 * `passed` is the latest position among the recognised ones.
 */
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

/** The largest `data` an event may carry, in bytes of its JSON in UTF-8. */
export const maxEventBytes = 1_048_576

/** The event's data as JSON text; throws when it is larger than every store takes. */
export const eventJson = ({ type, data }: NewEvent): string => {
  const text = JSON.stringify(data)
  const bytes = Buffer.byteLength(text)
  if (bytes > maxEventBytes)
    throw new Error(
      `An event ${type} of ${bytes} bytes is too large: at most ${maxEventBytes} bytes are stored`,
    )
  return text
}
