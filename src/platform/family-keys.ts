import { randomBytes } from 'node:crypto'
import type { Knex } from 'knex'
import type { Reader } from './database'

/** By user id; null: the key is destroyed for good. Who has never had one is absent. */
export type FamilyKeys = ReadonlyMap<number, Buffer | null>

/** The keys under which the personal values of these users stand in events. */
export const familyKeys = async (from: Reader, userIds: readonly number[]): Promise<FamilyKeys> => {
  const { rows } = await from.query<{ user_id: number; key: Buffer | null }>({
    name: 'family-keys',
    text: 'select user_id, key from platform.family_keys where user_id = any($1::integer[])',
    values: [userIds],
  })
  return new Map(rows.map(({ user_id, key }) => [user_id, key]))
}

/** The same, and whoever has never had a key gets one. */
export const familyKeysMade = async (pool: Reader, userIds: readonly number[]): Promise<FamilyKeys> => {
  const known = await familyKeys(pool, userIds)
  const missing = userIds.filter((userId) => !known.has(userId))
  if (missing.length === 0) return known
  const keys = missing.map(() => randomBytes(32))
  await pool.query(
    `insert into platform.family_keys (user_id, key) select * from unnest($1::integer[], $2::bytea[])
     on conflict do nothing`,
    [missing, keys],
  )
  return familyKeys(pool, userIds)
}

/** After this nobody reads what was sealed for this user, and what is sealed for them later is kept by nobody. */
export const destroyFamilyKey = async (transaction: Knex.Transaction, userId: number): Promise<void> => {
  await transaction('platform.family_keys')
    .insert({ user_id: userId, key: null })
    .onConflict('user_id')
    .merge()
}
