import type { Ports } from '#platform/ports'
import type { Pool } from 'pg'
import { dayMs, deleteUntil, type Retention } from '#platform/retention'

/** Nobody waits for an answer that long. */
const resetRequestsKeptDays = 1

const mealsKeptDays = 2

/** A late link still explains itself for this time. */
const invitesKeptDays = 30

export const identityRetentions = ({ database: { pool }, now }: Ports): Retention[] => {
  const before = (days: number) => () => new Date(now().getTime() - days * dayMs)
  return [
    {
      name: 'identity.sessions',
      kept: '14 days after the last use (administrators: 12 hours), 30 days at most',
      remove: deleteUntil(pool, 'identity.sessions', '"expiresAt" <= $1', now),
    },
    {
      name: 'identity.reset_requests',
      kept: `until it is answered, ${resetRequestsKeptDays} day at most`,
      remove: deleteUntil(pool, 'identity.reset_requests', '"askedAt" < $1', before(resetRequestsKeptDays)),
    },
    ...(['identity.acknowledged_meals', 'identity.conflicts_told'] as const).map((name) => ({
      name,
      kept: `until ${mealsKeptDays} days after the meal`,
      remove: deleteUntil(pool, name, 'date < $1', before(mealsKeptDays)),
    })),
    {
      name: 'identity.guardian_invites',
      kept: `${invitesKeptDays} days after the link expired; its address until it was accepted`,
      remove: deleteUntil(pool, 'identity.guardian_invites', '"expiresAt" < $1', before(invitesKeptDays)),
    },
    {
      name: 'identity.phone_codes',
      kept: 'until the phone is verified, 10 minutes at most',
      remove: deleteUntil(pool, 'identity.phone_codes', '"expiresAt" <= $1', now),
    },
    {
      name: 'identity.temporary_passwords',
      kept: '24 hours, or until a new password is chosen',
      remove: (atMost) => forgetTemporaryPasswords(pool, now(), atMost),
    },
  ]
}

/** Raw SQL: `array` picks rows once, while knex's `in` may rerun a locking subquery. */
const forgetTemporaryPasswords = async (pool: Pool, at: Date, atMost: number): Promise<number> => {
  const { rowCount } = await pool.query(
    `update identity.users set "temporaryHash" = null, "temporaryExpiresAt" = null
     where id = any(array(
       select id from identity.users where "temporaryExpiresAt" <= $1 limit $2 for update skip locked))`,
    [at, atMost],
  )
  return rowCount ?? 0
}
