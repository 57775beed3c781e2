import { randomBytes } from 'node:crypto'
import type Koa from 'koa'
import type { Context, Middleware } from 'koa'
import { createSession } from 'koa-session'
import type { Pool } from 'pg'
import { dayMs, deleteUntil, type Retention } from '#platform/retention'
import { stateOf } from './request'
import type { Principal } from './route'

const sessionCookie = 'tuckshop.session'

/** How long a session lasts; whoever comes in its second half has all of it again. In real time, as cookies do. */
const sessionMs = 14 * dayMs

/** `principal`: whose session it is; null when the account is gone. */
export type StoredSession = { userId: number; expiresAt: Date; principal: Principal | null }

/** A session that has not expired, with its account, in one query; null when there is none. */
export type SessionOf = (id: string) => Promise<StoredSession | null>

/** Who is signed in where. An id is the secret that a signed cookie carries. */
export type SessionStore = {
  read: SessionOf
  create: (id: string, userId: number, expiresAt: Date) => Promise<void>
  /** Moves the expiry; a session that was ended meanwhile stays ended. */
  renew: (id: string, expiresAt: Date) => Promise<void>
  end: (id: string) => Promise<void>
  /** Ends all sessions of a user but the named one. */
  endSessions: (userId: number, exceptSessionId?: string | null) => Promise<void>
}

/** Sessions as rows of `platform.sessions`; whoever has the accounts reads them. */
export const postgresSessions = (pool: Pool, sessionOf: SessionOf): SessionStore => {
  const run = async (text: string, values: unknown[]) => {
    await pool.query(text, values)
  }
  return {
    read: sessionOf,
    create: (...row) =>
      run('insert into platform.sessions (id, user_id, expires_at) values ($1, $2, $3)', row),
    renew: (...row) => run('update platform.sessions set expires_at = $2 where id = $1', row),
    end: (id) => run('delete from platform.sessions where id = $1', [id]),
    endSessions: (userId, exceptSessionId = null) =>
      run('delete from platform.sessions where user_id = $1 and id is distinct from $2', [
        userId,
        exceptSessionId,
      ]),
  }
}

/** A session that has expired opens nothing any more. */
export const sessionRetention = (pool: Pool): Retention => ({
  name: 'platform.sessions',
  kept: '14 days after the last use, 7 at least',
  remove: deleteUntil(pool, 'platform.sessions', 'expires_at <= $1', () => new Date()),
})

/** The part of koa-session's model that is used here; `_expire` is in ms since 1970. */
type SessionData = { userId: number; _expire: number }
type WithSession = Context & { session: { userId: number } | null }
// koa-session types the context loosely, but always gives it.
type InRequest = { ctx?: Context }

/**
 * Tells who asks, from the signed cookie: one query per request that carries one, and a row only for somebody who
 * signs in.
 */
export const sessionReader = (app: Koa, sessions: SessionStore, https: boolean): Middleware => {
  const session = createSession(
    {
      key: sessionCookie,
      maxAge: sessionMs,
      renew: true,
      httpOnly: true,
      sameSite: 'lax',
      secure: https,
      signed: true,
      genid: () => randomBytes(32).toString('base64url'),
      store: storeOf(sessions),
    },
    app,
  )
  return (context, next) => {
    // Behind a proxy that ends TLS the connection here is plain, and the cookie must be Secure all the same.
    if (https) context.cookies.secure = true
    return session(context, next)
  }
}

const storeOf = (sessions: SessionStore) => ({
  get: async (id: string, _maxAge: number, { ctx }: InRequest): Promise<SessionData | null> => {
    const stored = await sessions.read(id)
    if (!stored) return null
    const { userId, expiresAt, principal } = stored
    Object.assign(stateOf(ctx!), { sessionId: id, principal, userId: principal?.userId ?? null })
    return { userId, _expire: expiresAt.getTime() }
  },
  set: async (id: string, { userId, _expire }: SessionData, _maxAge: number, { ctx }: InRequest) => {
    const state = stateOf(ctx!)
    if (id === state.sessionId) return sessions.renew(id, new Date(_expire))
    await sessions.create(id, userId, new Date(_expire))
    state.sessionId = id
  },
  destroy: async (id: string, { ctx }: InRequest) => {
    stateOf(ctx!).sessionId = null
    await sessions.end(id)
  },
})

/** Starts a session under a new id and ends the one the cookie named, so that no planted id survives signing in. */
export const signIn = async (context: Context, userId: number): Promise<void> => {
  const holder = context as WithSession
  holder.session = { userId }
  await (holder.session as unknown as { regenerate: () => Promise<void> }).regenerate()
  stateOf(context).userId = userId
}

/** Ends the current session once the request is done, and takes the cookie back. */
export const signOut = (context: Context): void => {
  ;(context as WithSession).session = null
}
