import type { Pool } from 'pg'
import { dayMs, deleteUntil, type Retention } from '#platform/retention'
import type { IdentityNeeds } from '../needs'

/**
 * A sent mail's row says that it went out, to whom and when. It outlives every job that could post the mail again
 * (failed ones stay 60 days): while it is there, the same mail is not sent twice.
 */
const mailsKeptDays = 90

/** Longer than anybody waits for an answer: it would bring a password for a form that was sent yesterday. */
const resetRequestsKeptDays = 1

/** What identity deletes, and when. */
export const identityRetentions = ({
  database: { pool },
  now,
}: Pick<IdentityNeeds, 'database' | 'now'>): Retention[] => {
  const before = (days: number) => () => new Date(now().getTime() - days * dayMs)
  return [
    {
      name: 'identity.sessions',
      kept: '14 days after the last use (administrators: 12 hours), 30 days at most',
      remove: deleteUntil(pool, 'identity.sessions', '"expiresAt" <= $1', now),
    },
    {
      name: 'identity.mail_outbox',
      kept: `${mailsKeptDays} days after it was sent or given up; unsent ones stay`,
      remove: deleteUntil(
        pool,
        'identity.mail_outbox',
        'coalesce("sentAt", "givenUpAt") < $1',
        before(mailsKeptDays),
      ),
    },
    {
      name: 'identity.reset_requests',
      kept: `until it is answered, ${resetRequestsKeptDays} day at most`,
      remove: deleteUntil(pool, 'identity.reset_requests', '"askedAt" < $1', before(resetRequestsKeptDays)),
    },
    {
      name: 'identity.temporary_passwords',
      kept: '24 hours, or until a new password is chosen',
      remove: (atMost) => forgetTemporaryPasswords(pool, now(), atMost),
    },
  ]
}

/**
 * Deletes the hashes of expired temporary passwords, which no longer sign anybody in. SQL by hand: `array` chooses the rows
 * once, where the `in` that knex writes may run a locking subquery again.
 */
const forgetTemporaryPasswords = async (pool: Pool, at: Date, atMost: number): Promise<number> => {
  const { rowCount } = await pool.query(
    `update identity.users set "temporaryHash" = null, "temporaryExpiresAt" = null
     where id = any(array(
       select id from identity.users where "temporaryExpiresAt" <= $1 limit $2 for update skip locked))`,
    [at, atMost],
  )
  return rowCount ?? 0
}
