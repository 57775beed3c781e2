import type { Reader } from './database'
import type { Knex } from 'knex'
import { LRUCache } from 'lru-cache'
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const ivBytes = 12
const tagBytes = 16

/** AES-256-GCM in base64url with a key of 32 bytes, bound to `owner`. */
export const sealText = (text: string, key: Buffer, owner: number | string): string => {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(String(owner)))
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url')
}

/** Null for another key or owner, or changed text. */
export const openText = (sealed: string, key: Buffer, owner: number | string): string | null => {
  try {
    const bytes = Buffer.from(sealed, 'base64url')
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), {
      authTagLength: tagBytes,
    })
      .setAAD(Buffer.from(String(owner)))
      .setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
    const body = bytes.subarray(ivBytes + tagBytes)
    return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}

/** By user id; null: destroyed; absent: never had one. */
export type KeysByUser = ReadonlyMap<number, Buffer | null>

/** Keys that encrypt families' personal data in events. */
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
