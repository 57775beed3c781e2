import type { Context } from 'koa'
import type { By } from '#platform/event-store/command-handler'
import type { BodyOf, Endpoint, ParamsOf, QueryOf, ReplyOf } from '#contracts/endpoint'

/** Who is signed in, as identity tells it; features are empty for everybody but administrators. */
export type Principal = {
  userId: number
  username: string
  name: string
  email: string | null
  role: 'parent' | 'teacher' | 'admin'
  features: readonly string[]
  isSuperadmin: boolean
  mustChangePassword: boolean
  /** An administrator without the second factor that the school demands. */
  mustSetUpSecondFactor: boolean
}

/**
 * Who may call a route. `anyone` needs no session. `whoever-signed-in` is the only one that also answers somebody who
 * still has a temporary password to change, or a second factor to set up. `features`: administrators who hold at least one of them (or superadmin).
 * `roles` with `orFeature` also admits administrators who hold that feature.
 */
export type Access =
  | { kind: 'anyone' }
  | { kind: 'whoever-signed-in' }
  | { kind: 'signed-in' }
  | { kind: 'roles'; roles: readonly Principal['role'][]; orFeature?: string }
  | { kind: 'features'; features: readonly string[] }

export const anyone: Access = { kind: 'anyone' }
export const anySignedIn: Access = { kind: 'whoever-signed-in' }
export const signedIn: Access = { kind: 'signed-in' }
export const onlyRoles = (...roles: Principal['role'][]): Access => ({ kind: 'roles', roles })
export const buyersOrFeature = (orFeature: string): Access => ({
  kind: 'roles',
  roles: ['parent', 'teacher'],
  orFeature,
})
export const withFeature = (...features: string[]): Access => ({ kind: 'features', features })

/** What a handler is given: parsed input and who asks. */
export type Call<E = Endpoint> = {
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
  /** Null only on routes for anyone, when nobody is signed in. */
  principal: Principal | null
  /** The signed-in user; a fault on a route for anyone. */
  user: Principal
  /** Who asks, and the request, for the metadata of events. */
  by: By
  /** The Idempotency-Key header, at most 200 characters; null when none was sent. */
  idempotencyKey: string | null
  ip: string
  /** The address the caller used for this service, e.g. `http://localhost:3000`; no proof of anything. */
  origin: string
  session: {
    /** Starts a fresh session for this user; nothing if the credentials have changed since this version. */
    signIn: (user: { userId: number; credentialsVersion: number }) => Promise<void>
    /** Ends the session when the request is done. */
    signOut: () => void
    /** The id of this device if that account signed in on it before with these credentials. */
    deviceOf: (user: { userId: number; credentialsVersion: number }) => string | null
    /** The id of the current session, to keep it while a user's others are ended. */
    id: () => string | null
  }
}

/** A named budget of calls, shared by all processes; `points` per `seconds` and key (address, or `by` user). */
export type RateLimit = { name: string; points: number; seconds: number; by?: 'ip' | 'user' }

/** What under the same Idempotency-Key comes again is answered as at first, and does nothing. */
export const answeredOnce = { once: { again: 'answer' } } as const
/** What comes again is given to the act, which knows what it did under this key; something else is refused. */
export const knowsItsKey = { once: { again: 'act' } } as const

export type RouteOptions = {
  limit?: RateLimit
  /** Hands in a cart: a user has four of these on their way at once at most. */
  cart?: boolean
  /**
   * One Idempotency-Key is for one request of a person: another one is `idempotency_key_reused`. `again` is what the same
   * request does: gets its first answer, or acts again where the act itself knows its key.
   */
  once?: { again: 'answer' | 'act' }
  maxBodyBytes?: number
  /** Other sites may call it. */
  crossSite?: boolean
}

/** A JSON route: a column of middleware (parsing, session, rights, limits, errors) and one act. */
export type JsonRoute = {
  kind: 'json'
  endpoint: Endpoint
  access: Access
  options: RouteOptions
  handle: (call: Call) => Promise<unknown>
}

/** A route that reads or answers something else than JSON (a page, a redirect, a file, a push). */
export type RawRoute = {
  kind: 'raw'
  method: Endpoint['method']
  path: string
  access: Access
  options: RouteOptions
  serve: (context: Context, call: Call) => Promise<void>
}

export type Route = JsonRoute | RawRoute

/** The method and path of a route of either kind. */
export const addressOf = (route: Route): Pick<Endpoint, 'method' | 'path'> =>
  route.kind === 'json' ? route.endpoint : route

export const route = <E extends Endpoint>(
  endpoint: E,
  access: Access,
  handle: (call: Call<E>) => Promise<ReplyOf<E>>,
  options: RouteOptions = {},
): Route => ({ kind: 'json', endpoint, access, options, handle: handle as JsonRoute['handle'] })

export const rawRoute = (
  spec: Omit<RawRoute, 'kind' | 'options'> & { options?: RawRoute['options'] },
): Route => ({
  kind: 'raw',
  ...spec,
  options: spec.options ?? {},
})
