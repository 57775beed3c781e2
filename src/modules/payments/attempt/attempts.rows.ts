import type { Pool } from 'pg'
import { attemptsView } from './attempts.view'
import type { AttemptRow } from './attempts.view'

/** Named one by one: a prepared `select *` would break in a running process when a migration adds a column. */
export const attemptColumns = Object.keys(attemptsView.columns).join(', ')

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

/** Checkouts without a card begun before this instant that have not ended, the oldest first, at most 100. */
export const unfinishedFreeAttempts = async (pool: Pool, startedBefore: Date): Promise<string[]> => {
  const { rows } = await pool.query<{ id: string }>(
    `select id from payments.attempts
     where status in ('draft', 'releasing') and kind <> 'card' and started_at < $1
     order by started_at, id limit 100`,
    [startedBefore],
  )
  return idsOf(rows)
}

/** A user's card payments whose token may still be paid, the newest first. */
export const openAttempts = async (
  pool: Pool,
  userId: number,
  now: Date,
): Promise<{ id: string; bodyHash: string }[]> => {
  const { rows } = await pool.query<{ id: string; bodyHash: string }>(
    `select id, body_hash as "bodyHash" from payments.attempts
     where user_id = $1 and kind = 'card'
       and (status in ('initiated', 'processing', 'review') or (status = 'declined' and limit_at > $2))
     order by started_at desc, id desc limit 50`,
    [userId, now],
  )
  return rows
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The attempt that the provider's token, or its own id, names; null when there is none. */
export const attemptNamed = async (pool: Pool, transactionId: string): Promise<AttemptRow | null> => {
  const id = uuid.test(transactionId) ? transactionId : null
  const { rows } = await pool.query<AttemptRow>(
    `select ${attemptColumns} from payments.attempts where token = $1 or id = $2
     order by (token = $1) desc nulls last limit 1`,
    [transactionId, id],
  )
  return rows[0] ?? null
}

/** The attempt of the provider's token. */
export const attemptOfToken = async (pool: Pool, token: string): Promise<string | null> => {
  const { rows } = await pool.query<{ id: string }>(`select id from payments.attempts where token = $1`, [
    token,
  ])
  return rows[0]?.id ?? null
}
