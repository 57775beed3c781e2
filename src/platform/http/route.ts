import type { Context } from 'koa'
import type { BodyOf, Endpoint, ParamsOf, QueryOf, ReplyOf } from '#contracts/endpoint'
import type { Writer } from '#platform/event-store/command-handler'

/** `features` are empty for non-administrators. */
export type Principal = {
  userId: number
  username: string
  name: string
  email: string | null
  phone: string | null
  role: 'parent' | 'teacher' | 'admin'
  features: readonly string[]
  isSuperadmin: boolean
  mustChangePassword: boolean
  /** An administrator without a required second factor. */
  mustSetUpSecondFactor: boolean
}

/** superadmin holds every feature. */
export const holdsOneOf = (
  { isSuperadmin, features }: Pick<Principal, 'isSuperadmin' | 'features'>,
  ...wanted: readonly string[]
): boolean => isSuperadmin || wanted.some((feature) => features.includes(feature))

/** `whoever-signed-in` includes accounts that must set up a second factor and, but for `ownPassword`, change a password. `features`: one of them suffices. */
export type Access =
  | { kind: 'anyone' }
  | { kind: 'whoever-signed-in'; ownPassword?: true }
  | { kind: 'signed-in' }
  | { kind: 'roles'; roles: readonly Principal['role'][]; orFeature?: string }
  | { kind: 'features'; features: readonly string[] }

export const anyone: Access = { kind: 'anyone' }
export const anySignedIn: Access = { kind: 'whoever-signed-in' }
export const withOwnPassword: Access = { kind: 'whoever-signed-in', ownPassword: true }
export const signedIn: Access = { kind: 'signed-in' }
export const onlyRoles = (...roles: Principal['role'][]): Access => ({ kind: 'roles', roles })
export const buyersOrFeature = (orFeature: string): Access => ({
  kind: 'roles',
  roles: ['parent', 'teacher'],
  orFeature,
})
export const withFeature = (...features: string[]): Access => ({ kind: 'features', features })

export type Call<E = Endpoint> = {
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
  /** Null only on public routes without a session. */
  principal: Principal | null
  /** Throws a fault on a public route. */
  user: Principal
  by: Writer
  /** At most 200 characters; null if absent. */
  idempotencyKey: string | null
  /** The same request with this key began before. */
  isRepeat: boolean
  ip: string
  /** As the caller addressed this service, e.g. `http://localhost:3000`; untrusted. */
  origin: string
  session: {
    /** Starts a new session; does nothing if credentials changed since this version. `typed`: see `NewSession`. */
    signIn: (user: { userId: number; credentialsVersion: number; typed?: string | null }) => Promise<void>
    /** At the end of the request. */
    signOut: () => void
    /** This device's id if the account signed in on it with these credentials, else null. */
    deviceOf: (user: { userId: number; credentialsVersion: number }) => string | null
    /** Current session id, to keep it when ending the others. */
    id: () => string | null
  }
}

/** Shared by all processes; `points` per `seconds` and key (address or `by` user). */
export type RateLimit = { name: string; points: number; seconds: number; by?: 'ip' | 'user' }

export const answeredOnce = { once: { again: 'answer' } } as const
export const knowsItsKey = { once: { again: 'act' } } as const

export type RouteOptions = {
  limit?: RateLimit
  /** Submits a cart: at most four at once per user. */
  cart?: boolean
  /** A key of another request is `idempotency_key_reused`. `again` repeats the first answer, or runs the act, which knows its key. */
  once?: { again: 'answer' | 'act' }
  maxBodyBytes?: number
  crossSite?: boolean
}

export type JsonRoute = {
  kind: 'json'
  endpoint: Endpoint
  access: Access
  options: RouteOptions
  handle: (call: Call) => Promise<unknown>
}

export type RawRoute = {
  kind: 'raw'
  method: Endpoint['method']
  path: string
  access: Access
  options: RouteOptions
  serve: (context: Context, call: Call) => Promise<void>
}

export type Route = JsonRoute | RawRoute

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
