import type { Knex } from 'knex'
import type { AdminSort } from '#contracts/administrators'
import type { FeatureName } from '#contracts/identity'
import type { Direction } from '#contracts/sorting'
import type { Account } from '../accounts/account'

/** Which administrators; '' searches for nothing, a null feature asks for none. */
export type AdminsFound = { search: string; feature: FeatureName | null }

export type AdminPage = { sort: AdminSort; direction: Direction; offset: number; limit: number }

// What superadmin holds is not stored: it is more than anybody else can hold.
const orders: Record<AdminSort, readonly string[]> = {
  rank: ['not "isSuperadmin"', '"usernameKey"'],
  username: ['"usernameKey"'],
  features: ['"isSuperadmin"', 'cardinality(features)'],
  created: ['"createdAt"'],
}

/** One page of the administrators found and how many there are; equal ones stand in the order they were made. */
export const administratorsPage = async (
  knex: Knex,
  { search, feature }: AdminsFound,
  { sort, direction, offset, limit }: AdminPage,
): Promise<{ accounts: Account[]; total: number }> => {
  const found = knex<Account>('identity.users')
    .where('role', 'admin')
    .whereRaw('strpos(lower(username), lower(?)) > 0', [search])
  if (feature !== null)
    found.where((either) => either.where('isSuperadmin', true).orWhereRaw('? = any(features)', [feature]))
  const order = [...orders[sort], 'id'].map((key) => `${key} ${direction}`).join(', ')
  const [accounts, counted] = await Promise.all([
    found.clone().orderByRaw(order).offset(offset).limit(limit),
    found.clone().count({ total: '*' }).first(),
  ])
  return { accounts, total: Number(counted?.total) }
}
