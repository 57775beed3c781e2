import { randomBytes } from 'node:crypto'
import Koa, { type Context, type Middleware } from 'koa'
import { createSession } from 'koa-session'
import type { Refusal } from '#kernel/refusal'
import { dayMs } from '#platform/retention'
import { stateOf, httpRefusal, type HttpRefusal } from './request'
import { holdsOneOf, type Principal, type Access } from './route'

/** Absolute maximum, also in the cookie. */
export const maxSessionMs = 30 * dayMs

type OpenSession = { id: string; credentialsVersion: number; principal: Principal }

export type NewSession = {
  userId: number
  /** As of the password check: a change since voids the session. */
  credentialsVersion: number
  /** Names the password that was typed and must be changed: this session need not type it again. */
  typed?: string | null
  /** User-Agent, at most 300 characters. */
  device: string
}

export type SessionStore = {
  /** Null for an unknown or ended session. */
  read: (secret: string) => Promise<OpenSession | null>
  create: (secret: string, session: NewSession) => Promise<string>
  end: (secret: string) => Promise<void>
  usernameOf: (userId: number) => Promise<string | null>
}

type SessionData = Omit<NewSession, 'device'>
type WithSession = Context & { session: SessionData | null }
// koa-session types it as optional but always sets it.
type InRequest = { ctx?: Context }

/** Authenticates by the signed cookie: one query per request with one, a row only after sign-in. */
export const sessionReader = (app: Koa, sessions: SessionStore, https: boolean): Middleware => {
  const session = createSession(
    {
      // `__Host-`: this host only, over TLS only.
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
    // Behind a TLS proxy this connection is plain, and the cookie must be Secure anyway.
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
    const { userId, credentialsVersion, typed = null } = data
    const state = stateOf(ctx!)
    // koa-session saves twice: on regeneration and at the end.
    if (state.sessionSecret === secret) return
    const device = ctx!.get('user-agent').slice(0, 300)
    state.sessionId = await sessions.create(secret, { userId, credentialsVersion, typed, device })
    state.sessionSecret = secret
  },
  destroy: async (secret: string, { ctx }: InRequest) => {
    stateOf(ctx!).sessionId = null
    await sessions.end(secret)
  },
})

const deviceLastsMs = 400 * dayMs
/** Enough for a family's tablet; one more drops the oldest. */
const maxAccountsPerDevice = 5

const deviceCookie = (context: Context) =>
  context.cookies.secure ? '__Host-tuckshop.device' : 'tuckshop.device'

/** Accounts that signed in here, newest first: `<userId>.<credentialsVersion>.<random id>`. */
const accountsOfDevice = (context: Context): string[] =>
  (context.cookies.get(deviceCookie(context), { signed: true }) ?? '').split('~').filter(Boolean)

/** Grants nothing: it keeps a way in for this device when strangers exhaust the account's attempts. Null without a sign-in here. */
export const deviceOf = (
  context: Context,
  { userId, credentialsVersion }: Pick<SessionData, 'userId' | 'credentialsVersion'>,
): string | null => {
  const known = `${userId}.${credentialsVersion}.`
  return accountsOfDevice(context).find((account) => account.startsWith(known)) ?? null
}

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

/** New secret; ends the cookie's previous session against session fixation. */
export const signIn = async (
  context: Context,
  { userId, credentialsVersion, typed }: SessionData,
): Promise<void> => {
  const holder = context as WithSession
  holder.session = { userId, credentialsVersion, ...(typed && { typed }) }
  await (holder.session as unknown as { regenerate: () => Promise<void> }).regenerate()
  Object.assign(stateOf(context), { userId, signedIn: { userId, credentialsVersion } })
}

/** Ends the session after the request, clears the cookie and the browser's stored answers. */
export const signOut = (context: Context): void => {
  ;(context as WithSession).session = null
  context.set('Clear-Site-Data', '"cache"')
}

export const admits =
  (access: Access): Middleware =>
  (context, next) => {
    const refusal = refusalOf(access, stateOf(context).principal)
    if (refusal) throw refusal
    return next()
  }

/** Null when access is granted; handlers check ownership. */
export const refusalOf = (access: Access, principal: Principal | null): Refusal<HttpRefusal> | null => {
  if (access.kind === 'anyone') return null
  if (!principal) return httpRefusal('not_signed_in', 'Please log in')
  const isForAll = access.kind === 'whoever-signed-in'
  if (isForAll && !access.ownPassword) return null
  if (principal.mustChangePassword)
    return httpRefusal('password_change_required', 'Please choose a password of your own first')
  if (isForAll) return null
  if (principal.mustSetUpSecondFactor)
    return httpRefusal('second_factor_setup_required', 'Please set up your second factor first')
  if (!isAdmitted(access, principal)) return httpRefusal('forbidden', 'You do not have permission to do this')
  return null
}

const isAdmitted = (
  access: Exclude<Access, { kind: 'anyone' | 'whoever-signed-in' }>,
  principal: Principal,
) => {
  switch (access.kind) {
    case 'signed-in':
      return true
    case 'roles':
      return (
        access.roles.includes(principal.role) ||
        (access.orFeature !== undefined && isAdminWith(principal, access.orFeature))
      )
    case 'features':
      return isAdminWith(principal, ...access.features)
  }
}

const isAdminWith = (principal: Principal, ...features: readonly string[]) =>
  principal.role === 'admin' && holdsOneOf(principal, ...features)
