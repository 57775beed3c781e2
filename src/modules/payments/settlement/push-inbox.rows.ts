import type { Pool } from 'pg'
import { v7 } from 'uuid'

export type WaitingPush = { id: string; token: string | null; received_at: Date }

/** Keeps a push as it came. */
export const keepPush = async (
  pool: Pool,
  { raw, token, at }: { raw: string; token: string | null; at: Date },
): Promise<WaitingPush> => {
  const id = v7()
  await pool.query(
    `insert into payments.push_inbox (id, received_at, raw, token, state) values ($1, $2, $3, $4, $5)`,
    [id, at, raw, token, token === null ? 'unreadable' : 'waiting'],
  )
  return { id, token, received_at: at }
}

/** Pushes that nobody has looked into yet, the oldest first, at most 50. */
export const waitingPushes = async (pool: Pool): Promise<WaitingPush[]> => {
  const { rows } = await pool.query<WaitingPush>(
    `select id, token, received_at from payments.push_inbox
     where state = 'waiting' order by received_at, id limit 50`,
  )
  return rows
}

/** `done`: its attempt was looked at. `unknown`: no attempt has had its token for ten minutes. */
export const closePush = async (pool: Pool, id: string, state: 'done' | 'unknown'): Promise<void> => {
  await pool.query('update payments.push_inbox set state = $2 where id = $1', [id, state])
}
