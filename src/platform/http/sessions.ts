import { randomBytes } from 'node:crypto'
import Koa, { type Context, type Middleware } from 'koa'
import { createSession } from 'koa-session'
import { dayMs } from '#platform/retention'
import { stateOf } from './request'
import type { Principal } from './route'

/** How long a session lasts at most, whoever uses it and however often; the cookie says so too. */
export const maxSessionMs = 30 * dayMs

/** A session that holds; its `id` is no secret. */
type OpenSession = { id: string; credentialsVersion: number; principal: Principal }

/** Whose session begins, by which of their credentials, and on what. */
export type NewSession = {
  userId: number
  /** As it was when the password was compared: credentials that changed since open nothing. */
  credentialsVersion: number
  /** The browser's own description (User-Agent), at most 300 characters. */
  device: string
}

/** Who is signed in where. A session's secret is what a signed cookie carries. */
export type SessionStore = {
  /** Null when nobody is signed in with it, or no longer. */
  read: (secret: string) => Promise<OpenSession | null>
  /** Answers the id of the new session. */
  create: (secret: string, session: NewSession) => Promise<string>
  end: (secret: string) => Promise<void>
}

type SessionData = Omit<NewSession, 'device'>
type WithSession = Context & { session: SessionData | null }
// koa-session types the context loosely, but always gives it.
type InRequest = { ctx?: Context }

/** Tells who asks, from the signed cookie: one query per request that carries one, and a row only for somebody who signs in. */
export const sessionReader = (app: Koa, sessions: SessionStore, https: boolean): Middleware => {
  const session = createSession(
    {
      // Browsers take a cookie of this prefix only from this very host and over TLS.
      key: https ? '__Host-tuckshop.session' : 'tuckshop.session',
      maxAge: maxSessionMs,
      httpOnly: true,
      sameSite: 'lax',
      secure: https,
      signed: true,
      genid: () => randomBytes(32).toString('base64url'),
      store: storeOf(sessions),
    },
    app,
  )
  return async (context, next) => {
    // Behind a proxy that ends TLS the connection here is plain, and the cookie must be Secure all the same.
    if (https) context.cookies.secure = true
    await session(context, next)
    const { signedIn } = stateOf(context)
    if (signedIn && !context.headerSent) keepDevice(context, signedIn)
  }
}

const storeOf = (sessions: SessionStore) => ({
  get: async (secret: string, _maxAge: number, { ctx }: InRequest) => {
    const open = await sessions.read(secret)
    if (!open) return null
    const { id, principal, credentialsVersion } = open
    const { userId } = principal
    Object.assign(stateOf(ctx!), {
      sessionId: id,
      principal,
      userId,
      signedIn: { userId, credentialsVersion },
    })
    return { userId }
  },
  set: async (secret: string, data: SessionData, _maxAge: number, { ctx }: InRequest) => {
    const { userId, credentialsVersion } = data
    const state = stateOf(ctx!)
    // koa-session saves once when it regenerates and once more at the end of the request.
    if (state.sessionSecret === secret) return
    const device = ctx!.get('user-agent').slice(0, 300)
    state.sessionId = await sessions.create(secret, { userId, credentialsVersion, device })
    state.sessionSecret = secret
  },
  destroy: async (secret: string, { ctx }: InRequest) => {
    stateOf(ctx!).sessionId = null
    await sessions.end(secret)
  },
})

const deviceLastsMs = 400 * dayMs
/** A family's tablet knows a few accounts; who signs in with more loses the oldest. */
const maxAccountsPerDevice = 5

/** The cookie's name; browsers take one of the prefix only from this very host and over TLS. */
const deviceCookie = (context: Context) =>
  context.cookies.secure ? '__Host-tuckshop.device' : 'tuckshop.device'

/** Accounts that signed in here, the latest first: `<userId>.<credentialsVersion>.<random id>`. */
const accountsOfDevice = (context: Context): string[] =>
  (context.cookies.get(deviceCookie(context), { signed: true }) ?? '').split('~').filter(Boolean)

/**
 * The id of this device if the account signed in here before with the password in force; null otherwise. It opens
 * nothing: it keeps a way in where strangers have spent the account's budgets of tries.
 */
export const deviceOf = (
  context: Context,
  { userId, credentialsVersion }: Pick<SessionData, 'userId' | 'credentialsVersion'>,
): string | null => {
  const known = `${userId}.${credentialsVersion}.`
  return accountsOfDevice(context).find((account) => account.startsWith(known)) ?? null
}

/** Notes that somebody is signed in on this device with the credentials in force. */
const keepDevice = (context: Context, account: SessionData): void => {
  if (deviceOf(context, account) !== null) return
  const { userId, credentialsVersion } = account
  const others = accountsOfDevice(context).filter((other) => !other.startsWith(`${userId}.`))
  const own = `${userId}.${credentialsVersion}.${randomBytes(12).toString('base64url')}`
  const value = [own, ...others].slice(0, maxAccountsPerDevice).join('~')
  const kept = {
    maxAge: deviceLastsMs,
    httpOnly: true,
    sameSite: 'lax',
    signed: true,
    overwrite: true,
  } as const
  context.cookies.set(deviceCookie(context), value, kept)
}

/** Starts a session under a new secret and ends the one the cookie named, so that no planted one survives signing in. */
export const signIn = async (
  context: Context,
  { userId, credentialsVersion }: SessionData,
): Promise<void> => {
  const holder = context as WithSession
  holder.session = { userId, credentialsVersion }
  await (holder.session as unknown as { regenerate: () => Promise<void> }).regenerate()
  Object.assign(stateOf(context), { userId, signedIn: { userId, credentialsVersion } })
}

/** Ends the current session once the request is done, takes the cookie back and has the browser forget what it keeps of our answers. */
export const signOut = (context: Context): void => {
  ;(context as WithSession).session = null
  context.set('Clear-Site-Data', '"cache"')
}
