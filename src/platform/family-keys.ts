import type { Reader } from './database'
import type { Knex } from 'knex'
import { LRUCache } from 'lru-cache'
import { randomBytes } from 'node:crypto'

/** By user id; null: destroyed; absent: never had one. */
export type KeysByUser = ReadonlyMap<number, Buffer | null>

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
