import { randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import { LRUCache } from 'lru-cache'
import type { Reader } from './database'

/** By user id; null: the key is destroyed for good. Who has never had one is absent. */
export type KeysByUser = ReadonlyMap<number, Buffer | null>

/** The keys under which the personal values of families stand in events. */
export type FamilyKeys = {
  of: (userIds: readonly number[]) => Promise<KeysByUser>
  /** The same, and whoever has never had a key gets one. */
  madeFor: (userIds: readonly number[]) => Promise<KeysByUser>
  /** For a key that was destroyed: it is not used from here on. */
  forget: (userId: number) => void
}

const maxCached = 5_000
// Another process may go on for so long with a key that was destroyed here; a deletion's sweep goes on for longer.
const cachedMs = 10_000

/** One for each process, which holds the keys that it used lately. */
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

/** After this nobody reads what was sealed for this user, and what is sealed for them later is kept by nobody. */
export const destroyFamilyKey = async (transaction: Knex.Transaction, userId: number): Promise<void> => {
  await transaction('platform.family_keys')
    .insert({ user_id: userId, key: null })
    .onConflict('user_id')
    .merge()
}
