import { randomBytes } from 'node:crypto'
import type Koa from 'koa'
import type { Context, Middleware } from 'koa'
import { createSession } from 'koa-session'
import { recentSessions } from './recent-sessions'
import { stateOf } from './request-state'
import type { SessionStore, StoredSession } from './session-store'
import { sessionMs } from './session-store'

export const sessionCookie = 'tuckshop.session'

type SessionNeeds = {
  sessions: SessionStore
  https: boolean
}

/** The part of koa-session's model that is used here. */
type SessionModel = { userId?: number; save: () => Promise<void>; regenerate: () => Promise<void> }
type WithSession = Context & { session: SessionModel | { userId: number } | null }

/**
 * Tells who asks, from the signed cookie: one look-up per request that carries one (none where a recent one does), a
 * write once a day, and a row only for somebody who signs in. Nothing is written behind a handler's back.
 */
export const sessionReader = (app: Koa, { sessions, https }: SessionNeeds): Middleware => {
  const load = koaSession(app, sessions, https)
  const recent = recentSessions()
  return async (context, next) => {
    // Behind a proxy that ends TLS the connection here is plain, and the cookie must be Secure all the same.
    if (https) context.cookies.secure = true
    const { cookie } = context.headers
    if (cookie?.includes(sessionCookie) && !signedInJustNow(context, cookie)) {
      await readSession(context)
      const { principal } = stateOf(context)
      if (principal) recent.note(cookie, principal)
    }
    return next()
  }

  function signedInJustNow(context: Context, cookie: string): boolean {
    const state = stateOf(context)
    if (!state.match?.route.options.recentSessionDoes) return false
    const principal = recent.read(cookie)
    if (principal === null) return false
    state.principal = principal
    state.userId = principal.userId
    return true
  }

  async function readSession(context: Context) {
    await load(context, nothingMore)
    const state = stateOf(context)
    const session = (context as WithSession).session as SessionModel
    if (session.userId === undefined) return
    state.userId = state.principal?.userId ?? null
    if (state.principal && state.sessionDue) await session.save()
  }
}

const nothingMore = () => Promise.resolve()

// koa-session types the context loosely, but always gives it.
type Asked = { ctx?: Context }

const koaSession = (app: Koa, sessions: SessionStore, https: boolean) =>
  createSession(
    {
      key: sessionCookie,
      maxAge: sessionMs,
      httpOnly: true,
      sameSite: 'lax',
      secure: https,
      signed: true,
      autoCommit: false,
      genid: () => randomBytes(32).toString('base64url'),
      store: {
        get: async (id: string, _maxAge: number, asked: Asked) =>
          remember(asked.ctx!, id, await sessions.read(id)),
        set: async (id: string, session: { userId: number }, _maxAge: number, asked: Asked) => {
          const state = stateOf(asked.ctx!)
          if (id === state.sessionId) await sessions.renew(id)
          else await sessions.create(id, session.userId)
          state.sessionId = id
        },
        destroy: async (id: string, asked: Asked) => {
          const state = stateOf(asked.ctx!)
          if (id !== state.sessionId) return
          state.sessionId = null
          await sessions.end(id)
        },
      },
    },
    app,
  )

const remember = (context: Context, id: string, stored: StoredSession | null) => {
  if (!stored) return null
  const state = stateOf(context)
  state.sessionId = id
  state.sessionDue = stored.due
  state.principal = stored.principal
  return { userId: stored.userId }
}

/** Starts a session under a new id and ends the one the cookie named, so that no planted id survives signing in. */
export const signIn = async (context: Context, userId: number): Promise<void> => {
  const holder = context as WithSession
  holder.session = { userId }
  await (holder.session as unknown as SessionModel).regenerate()
  stateOf(context).userId = userId
}

/** Ends the current session, if there is one, and takes the cookie back. */
export const signOut = async (context: Context): Promise<void> => {
  const holder = context as WithSession
  const current = holder.session as SessionModel
  holder.session = null
  await current?.save()
}
