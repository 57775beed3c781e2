import { createHash, randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import { LRUCache } from 'lru-cache'
import type { Reader } from '../database'
import { openText, sealText } from '../sealed-text'
import type { EventStore, NewEvent, RecordedEvent, StreamAppend } from './event-store'

/** Paths in the data, as `lines.*.student.name`. The owners are its `userId` or `families`, else those of the stream. */
export type PersonalValues = Record<string, readonly string[]>

/** Replaces a personal value of a deleted family. */
export const deletedText = '[deleted]'

const sealedMark = '~sealed.1.'
const sealedText = /^~sealed\.1\.(\d{1,9}(?:\+\d{1,9})*)\.([\w-]+)$/
/** User ids in ascending order: `12` or `12+34`. */
type Owners = string
const idsOf = (owners: Owners): number[] => owners.split('+').map(Number)

/** Text of several families is lost with any one of their keys (null). Undefined: the key was never made. */
const keyOf = (owners: Owners, keys: KeysByUser): Buffer | null | undefined => {
  const found = idsOf(owners).map((userId) => keys.get(userId))
  if (found.length === 1) return found[0]
  if (found.includes(null)) return null
  const whole = found.flatMap((key) => key ?? [])
  return whole.length === found.length
    ? createHash('sha256').update(Buffer.concat(whole)).digest()
    : undefined
}

const seal = (owners: Owners, key: Buffer | null | undefined, text: string): string => {
  if (text === '') return ''
  if (!key) return deletedText
  return `${sealedMark}${owners}.${sealText(text, key, owners)}`
}

/** Text that this key did not seal stays as it is. */
const unseal = (text: string, owners: Owners, sealed: string, keys: KeysByUser): string => {
  const key = keyOf(owners, keys)
  if (key === null) return deletedText
  return (key && openText(sealed, key, owners)) ?? text
}

/** Copies only what changes: most of an event is not sealed. */
const mapTexts = (value: unknown, change: (text: string) => string): unknown => {
  if (typeof value === 'string') return change(value)
  if (typeof value !== 'object' || value === null) return value
  const before = value as Record<string, unknown>
  let after = before
  for (const name of Object.keys(before)) {
    const changed = mapTexts(before[name], change)
    if (changed === before[name]) continue
    if (after === before)
      after = (Array.isArray(value) ? [...value] : { ...before }) as Record<string, unknown>
    after[name] = changed
  }
  return after
}

const mapAt = (value: unknown, path: readonly string[], change: (text: string) => string): unknown => {
  const [name, ...rest] = path
  if (name === undefined) return typeof value === 'string' ? change(value) : value
  if (typeof value !== 'object' || value === null) return value
  if (name === '*') return Array.isArray(value) ? value.map((one) => mapAt(one, rest, change)) : value
  if (!(name in value)) return value
  return { ...value, [name]: mapAt((value as Record<string, unknown>)[name], rest, change) }
}

/** Collects the users whose keys seal texts here; answers whether there are any. */
const findSealed = (value: unknown, userIds: Set<number>): boolean => {
  if (typeof value === 'string') {
    const owners = value.startsWith(sealedMark) ? sealedText.exec(value)?.[1] : undefined
    if (owners !== undefined) for (const userId of idsOf(owners)) userIds.add(userId)
    return owners !== undefined
  }
  if (typeof value !== 'object' || value === null) return false
  let found = false
  for (const one of Object.values(value)) if (findSealed(one, userIds)) found = true
  return found
}

/** Decrypts personal values, `[deleted]` where the key is destroyed. `types` limits the events. */
export const openedEvents = async (
  familyKeys: Pick<FamilyKeys, 'of'>,
  events: RecordedEvent[],
  types?: ReadonlySet<string>,
): Promise<RecordedEvent[]> => {
  const userIds = new Set<number>()
  const sealed = events.map(({ type, data }) => types?.has(type) !== false && findSealed(data, userIds))
  if (userIds.size === 0) return events
  const keys = await familyKeys.of([...userIds])
  const open = memoize((text: string): string => {
    const parts = text.startsWith(sealedMark) ? sealedText.exec(text) : null
    return parts ? unseal(text, parts[1]!, parts[2]!, keys) : text
  })
  return events.map((event, index) =>
    sealed[index] ? { ...event, data: mapTexts(event.data, open) } : event,
  )
}

/** Subscribers that are handed the same page share its opened events. */
export const openingEvents = (
  eventStore: EventStore,
  familyKeys: Pick<FamilyKeys, 'of'>,
  types?: ReadonlySet<string>,
): EventStore => {
  const pages = new WeakMap<RecordedEvent[], Promise<RecordedEvent[]>>()
  const openedPage = (events: RecordedEvent[]) => {
    const opening = pages.get(events) ?? openedEvents(familyKeys, events, types)
    pages.set(events, opening)
    return opening
  }
  return {
    ...eventStore,
    read: async (streams) => {
      const found = await eventStore.read(streams)
      const opened = await openedEvents(familyKeys, [...found.values()].flat(), types)
      const byStream = new Map([...found.keys()].map((stream): [string, RecordedEvent[]] => [stream, []]))
      for (const event of opened) byStream.get(event.stream)!.push(event)
      return byStream
    },
    subscribe: (options, onBatch) =>
      eventStore.subscribe(options, async (events) => onBatch(await openedPage(events))),
  }
}

/** Also encrypts personal values of appended events with the family's key. */
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
    const all = [...new Set(families.values())]
    const keys = await familyKeys.madeFor([...new Set(all.flatMap(idsOf))])
    const sealers = new Map(
      all.map((owners) => {
        const key = keyOf(owners, keys)
        return [owners, memoize((text) => seal(owners, key, text))]
      }),
    )
    const sealed = (event: NewEvent): NewEvent => {
      const owners = families.get(event)
      if (owners === undefined) return event
      const change = sealers.get(owners)!
      const data = places[event.type]!.reduce<unknown>(
        (value, path) => mapAt(value, path.split('.'), change),
        event.data,
      )
      return { ...event, data }
    }
    return eventStore.append(appends.map((one) => ({ ...one, events: one.events.map(sealed) })))
  },
})

/** The meals of a checkout name the same children again and again. */
const memoize = (change: (text: string) => string): ((text: string) => string) => {
  const done = new Map<string, string>()
  return (text) => {
    const known = done.get(text)
    if (known !== undefined) return known
    const changed = change(text)
    done.set(text, changed)
    return changed
  }
}

const ownersIn = (data: unknown): Owners | undefined => {
  const { userId, families } = data as { userId?: unknown; families?: readonly { userId: unknown }[] }
  const found = userId === undefined ? (families ?? []).map((family) => family.userId) : [userId]
  const userIds = new Set(found.filter((one) => typeof one === 'number'))
  return userIds.size === 0 ? undefined : [...userIds].toSorted((one, other) => one - other).join('+')
}

const familyIn = (events: readonly { data: unknown }[]): Owners | undefined =>
  events.map(({ data }) => ownersIn(data)).find((owners) => owners !== undefined)

const familiesOf = async (
  eventStore: Pick<EventStore, 'read'>,
  appends: readonly StreamAppend[],
  personal: PersonalValues,
): Promise<Map<NewEvent, Owners>> => {
  const families = new Map<NewEvent, Owners>()
  for (const { stream, events, earlier = [] } of appends) {
    let family = familyIn(events) ?? familyIn(earlier)
    for (const event of events) {
      if (!personal[event.type]) continue
      family ??= familyIn((await eventStore.read([stream])).get(stream) ?? [])
      const owners = ownersIn(event.data) ?? family
      if (owners !== undefined) families.set(event, owners)
    }
  }
  return families
}

/** By user id; null: destroyed; absent: never had one. */
type KeysByUser = ReadonlyMap<number, Buffer | null>

export type FamilyKeys = {
  of: (userIds: readonly number[]) => Promise<KeysByUser>
  madeFor: (userIds: readonly number[]) => Promise<KeysByUser>
  /** Drops a destroyed key from the cache. */
  forget: (userId: number) => void
}

const maxCached = 5_000
// Other processes may use a destroyed key this long; a deletion's sweep runs longer.
const cachedMs = 10_000

/** One per process; caches recent keys. */
export const familyKeysIn = (pool: Reader): FamilyKeys => {
  const cache = new LRUCache<number, { key: Buffer | null }>({ max: maxCached, ttl: cachedMs })

  const of = async (userIds: readonly number[]): Promise<KeysByUser> => {
    const found = new Map<number, Buffer | null>()
    const unknown = userIds.filter((userId) => {
      const cached = cache.get(userId)
      if (cached) found.set(userId, cached.key)
      return !cached
    })
    for (const { userId, key } of unknown.length > 0 ? await readKeys(pool, unknown) : []) {
      cache.set(userId, { key })
      found.set(userId, key)
    }
    return found
  }

  const madeFor = async (userIds: readonly number[]): Promise<KeysByUser> => {
    const known = await of(userIds)
    const missing = userIds.filter((userId) => !known.has(userId))
    if (missing.length === 0) return known
    await pool.query(
      `insert into platform.family_keys (user_id, key) select * from unnest($1::integer[], $2::bytea[])
       on conflict do nothing`,
      [missing, missing.map(() => randomBytes(32))],
    )
    return of(userIds)
  }

  return { of, madeFor, forget: (userId) => void cache.delete(userId) }
}

const readKeys = async (from: Reader, userIds: readonly number[]) => {
  const { rows } = await from.query<{ userId: number; key: Buffer | null }>({
    name: 'family-keys',
    text: 'select user_id as "userId", key from platform.family_keys where user_id = any($1::integer[])',
    values: [userIds],
  })
  return rows
}

/** Crypto-shredding: nothing sealed for this user can be read again, and nothing later is kept. */
export const destroyFamilyKey = async (transaction: Knex.Transaction, userId: number): Promise<void> => {
  await transaction('platform.family_keys')
    .insert({ user_id: userId, key: null })
    .onConflict('user_id')
    .merge()
}
