import type { Ports } from '#platform/ports'
import type { Pool } from 'pg'
import { dayMs, deleteUntil, type Retention } from '#platform/retention'

/** Longer than anybody waits for an answer: it would bring a password for a form that was sent yesterday. */
const resetRequestsKeptDays = 1

/** Which meals need a look is nobody's concern once they were eaten; the school's day may have begun later than ours. */
const mealsKeptDays = 2

/** So long a link that is too late, or was used, says so; its address goes with it. */
const invitesKeptDays = 30
/** As long as an import can be undone; one that was only looked at is no use on the next day. */
const importsKeptDays = 7

/** Longer than whoever has left can come back by an import that is undone. */
const leftKeptDays = 30

/** A year move can be undone for a week. */
const promotionsKeptDays = 30

/** What identity deletes, and when. */
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
    ...rollRetentions(pool, now, before),
    {
      name: 'identity.guardian_invites',
      kept: `${invitesKeptDays} days after the link expired; its address until it was accepted`,
      remove: deleteUntil(pool, 'identity.guardian_invites', '"expiresAt" < $1', before(invitesKeptDays)),
    },
    {
      name: 'identity.promotions',
      kept: `${promotionsKeptDays} days after it was previewed or applied`,
      remove: deleteUntil(
        pool,
        'identity.promotions',
        'coalesce("appliedAt", "previewedAt") < $1',
        before(promotionsKeptDays),
      ),
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

/** The lists that were uploaded and what stands of guardians in them, and children whom no account had when they left. */
const rollRetentions = (pool: Pool, now: () => Date, before: (days: number) => () => Date): Retention[] => [
  {
    name: 'identity.roll_imports',
    kept: `${importsKeptDays} days after it was applied, 1 day while it is not`,
    remove: deleteUntil(
      pool,
      'identity.roll_imports',
      `coalesce("appliedAt", "createdAt" - interval '${importsKeptDays - 1} days') < $1`,
      before(importsKeptDays),
    ),
  },
  {
    name: 'identity.claim_codes',
    kept: 'until it is used or replaced, 90 days at most',
    remove: deleteUntil(pool, 'identity.claim_codes', '"expiresAt" <= $1', now),
  },
  {
    name: 'identity.students.unclaimed',
    kept: `until an account has the child, or ${leftKeptDays} days after it has left`,
    remove: deleteUntil(
      pool,
      'identity.students',
      '"userId" is null and "mergedInto" is null and "leftAt" < $1',
      before(leftKeptDays),
    ),
  },
]

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
