import type { Pool } from 'pg'
import type { AdminSort } from '#contracts/administrators'
import type { FeatureName } from '#contracts/identity'
import type { Direction } from '#contracts/sorting'
import { type Account } from '../accounts/account'

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

const found = `from identity.users
  where role = 'admin' and strpos(lower(username), lower($1)) > 0
    and ($2::text is null or "isSuperadmin" or $2 = any(features))`

/** One page of the administrators found and how many there are; equal ones stand in the order they were made. */
export const administratorsPage = async (
  pool: Pool,
  { search, feature }: AdminsFound,
  { sort, direction, offset, limit }: AdminPage,
): Promise<{ accounts: Account[]; total: number }> => {
  const order = [...orders[sort], 'id'].map((key) => `${key} ${direction}`).join(', ')
  const [page, counted] = await Promise.all([
    pool.query<Account>(`select * ${found} order by ${order} offset $3 limit $4`, [
      search,
      feature,
      offset,
      limit,
    ]),
    pool.query<{ total: number }>(`select count(*)::int as total ${found}`, [search, feature]),
  ])
  return { accounts: page.rows, total: counted.rows[0]!.total }
}
