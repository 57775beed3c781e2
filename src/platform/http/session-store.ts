import type { Pool } from 'pg'
import type { Now } from '#platform/clock'
import type { Retention } from '#platform/retention'
import { dayMs, deleteUntil } from '#platform/retention'
import type { Principal } from './route'

/** How long somebody stays signed in after the last day of use. */
export const sessionMs = 14 * dayMs

/** `due`: the expiry has not been moved for a day. `principal`: whose it is; null when the account is gone. */
export type StoredSession = { userId: number; due: boolean; principal: Principal | null }

/** A session that lasts at `at`, with its account in one look; null when there is none. */
export type SessionOf = (id: string, at: Date) => Promise<StoredSession | null>

/** Who is signed in where. An id is the secret that a signed cookie carries. */
export type SessionStore = {
  /** Null when there is no such session or it has expired. */
  read: (id: string) => Promise<StoredSession | null>
  create: (id: string, userId: number) => Promise<void>
  /** Moves the expiry; a session that was ended meanwhile stays ended. */
  renew: (id: string) => Promise<void>
  end: (id: string) => Promise<void>
  /** Ends all sessions of a user but the named one. */
  endSessions: (userId: number, exceptSessionId?: string | null) => Promise<void>
}

/** Sessions as rows of `platform.sessions`, lasting by the application's clock; whoever has the accounts reads them. */
export const postgresSessions = (pool: Pool, now: Now, sessionOf: SessionOf): SessionStore => ({
  read: (id) => sessionOf(id, now()),
  create: async (id, userId) => {
    await pool.query('insert into platform.sessions (id, user_id, expires_at) values ($1, $2, $3)', [
      id,
      userId,
      expiryFrom(now()),
    ])
  },
  renew: async (id) => {
    await pool.query('update platform.sessions set expires_at = $2 where id = $1', [id, expiryFrom(now())])
  },
  end: async (id) => {
    await pool.query('delete from platform.sessions where id = $1', [id])
  },
  endSessions: async (userId, exceptSessionId = null) => {
    await pool.query('delete from platform.sessions where user_id = $1 and id is distinct from $2', [
      userId,
      exceptSessionId,
    ])
  },
})

/** A session that has expired opens nothing any more. */
export const sessionRetention = (pool: Pool, now: Now): Retention => ({
  name: 'platform.sessions',
  kept: '14 days after the last day of use',
  remove: deleteUntil(pool, 'platform.sessions', 'expires_at <= $1', now),
})

const expiryFrom = (at: Date) => new Date(at.getTime() + sessionMs)

/** Whether a session that lasts until `expiresAt` has not been moved for a day. */
export const isDue = (expiresAt: Date, at: Date): boolean =>
  expiresAt.getTime() - at.getTime() < sessionMs - dayMs
