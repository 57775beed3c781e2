import type { FamilyKeys, KeysByUser } from '../family-keys'
import { openText, sealText } from '../sealed-text'
import type { EventStore, NewEvent, RecordedEvent, StreamAppend } from './event-store'

/**
 * Where personal values stand in the data of an event type: `lines.*.student.name` is the name in each of `lines`. They
 * are the family's whose `userId` the event carries, or the first of its `families`, or the first event of its stream that
 * has one.
 */
export type PersonalValues = Record<string, readonly string[]>

/** What is read in the place of a personal value whose family was deleted. */
export const deletedText = '[deleted]'

const sealedMark = '~sealed.1.'
const sealedText = /^~sealed\.1\.(\d{1,9})\.([\w-]+)$/
const seal = (userId: number, key: Buffer | null, text: string): string => {
  if (text === '') return ''
  if (key === null) return deletedText
  return `${sealedMark}${userId}.${sealText(text, key, userId)}`
}

/** A text that was not sealed with this key, whatever it looks like, is itself. */
const unseal = (text: string, userId: number, sealed: string, keys: KeysByUser): string => {
  const key = keys.get(userId)
  if (key === null) return deletedText
  return (key && openText(sealed, key, userId)) ?? text
}

const mapTexts = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === 'string') return change(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, change))
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapTexts(one, change)]))
}

const mapAt = (value: unknown, path: readonly string[], change: (text: string) => string): unknown => {
  const [name, ...rest] = path
  if (name === undefined) return typeof value === 'string' ? change(value) : value
  if (typeof value !== 'object' || value === null) return value
  if (name === '*') return Array.isArray(value) ? value.map((one) => mapAt(one, rest, change)) : value
  if (!(name in value)) return value
  return { ...value, [name]: mapAt((value as Record<string, unknown>)[name], rest, change) }
}

/** Notes the users under whose keys texts in this data are sealed; answers whether there are any. Copies nothing. */
const findSealed = (value: unknown, userIds: Set<number>): boolean => {
  if (typeof value === 'string') {
    const userId = value.startsWith(sealedMark) ? sealedText.exec(value)?.[1] : undefined
    if (userId !== undefined) userIds.add(Number(userId))
    return userId !== undefined
  }
  if (typeof value !== 'object' || value === null) return false
  let found = false
  for (const one of Object.values(value)) if (findSealed(one, userIds)) found = true
  return found
}

/** The events with their personal values in clear, or as `[deleted]`; with `types` only events of these. */
export const openedEvents = async (
  familyKeys: Pick<FamilyKeys, 'of'>,
  events: RecordedEvent[],
  types?: ReadonlySet<string>,
): Promise<RecordedEvent[]> => {
  const userIds = new Set<number>()
  const sealed = events.map(({ type, data }) => types?.has(type) !== false && findSealed(data, userIds))
  if (userIds.size === 0) return events
  const keys = await familyKeys.of([...userIds])
  const open = onceEach((text: string): string => {
    const parts = text.startsWith(sealedMark) ? sealedText.exec(text) : null
    return parts ? unseal(text, Number(parts[1]), parts[2]!, keys) : text
  })
  return events.map((event, index) =>
    sealed[index] ? { ...event, data: mapTexts(event.data, open) } : event,
  )
}

/** The store as those read it who may see personal values, of all events or of those of `types`. */
export const openingEvents = (
  eventStore: EventStore,
  familyKeys: Pick<FamilyKeys, 'of'>,
  types?: ReadonlySet<string>,
): EventStore => ({
  ...eventStore,
  read: async (streams) => {
    const found = await eventStore.read(streams)
    const opened = await openedEvents(familyKeys, [...found.values()].flat(), types)
    const byStream = new Map([...found.keys()].map((stream): [string, RecordedEvent[]] => [stream, []]))
    for (const event of opened) byStream.get(event.stream)!.push(event)
    return byStream
  },
  subscribe: (options, onBatch) =>
    eventStore.subscribe(options, async (events) => onBatch(await openedEvents(familyKeys, events, types))),
})

/** The same, and what it appends has its personal values sealed with the family's key. */
export const sealingEvents = (
  eventStore: EventStore,
  familyKeys: FamilyKeys,
  personal: () => PersonalValues,
): EventStore => ({
  ...openingEvents(eventStore, familyKeys),
  append: async (appends) => {
    const places = personal()
    const families = await familiesOf(eventStore, appends, places)
    if (families.size === 0) return eventStore.append(appends)
    const keys = await familyKeys.madeFor([...new Set(families.values())])
    const sealers = new Map(
      [...new Set(families.values())].map((userId) => [
        userId,
        onceEach((text) => seal(userId, keys.get(userId) ?? null, text)),
      ]),
    )
    const sealed = (event: NewEvent): NewEvent => {
      const userId = families.get(event)
      if (userId === undefined) return event
      const change = sealers.get(userId)!
      const data = places[event.type]!.reduce<unknown>(
        (value, path) => mapAt(value, path.split('.'), change),
        event.data,
      )
      return { ...event, data }
    }
    return eventStore.append(appends.map((one) => ({ ...one, events: one.events.map(sealed) })))
  },
})

/** The same, but each text is worked on once: the meals of a checkout name the same children again and again. */
const onceEach = (change: (text: string) => string): ((text: string) => string) => {
  const done = new Map<string, string>()
  return (text) => {
    const known = done.get(text)
    if (known !== undefined) return known
    const changed = change(text)
    done.set(text, changed)
    return changed
  }
}

const userIdIn = (data: unknown): number | undefined => {
  const { userId, families } = data as { userId?: unknown; families?: readonly { userId: unknown }[] }
  const found = userId ?? families?.[0]?.userId
  return typeof found === 'number' ? found : undefined
}

/** Whom the first of these events names that names a user. */
const familyIn = (events: readonly { data: unknown }[]): number | undefined =>
  events.map(({ data }) => userIdIn(data)).find((userId) => userId !== undefined)

/** Whose personal values each event holds; events without any are absent. */
const familiesOf = async (
  eventStore: Pick<EventStore, 'read'>,
  appends: readonly StreamAppend[],
  personal: PersonalValues,
): Promise<Map<NewEvent, number>> => {
  const families = new Map<NewEvent, number>()
  for (const { stream, events } of appends) {
    let family = familyIn(events)
    for (const event of events) {
      if (!personal[event.type]) continue
      family ??= familyIn((await eventStore.read([stream])).get(stream) ?? [])
      const userId = userIdIn(event.data) ?? family
      if (userId !== undefined) families.set(event, userId)
    }
  }
  return families
}
