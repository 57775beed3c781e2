import type { Context } from 'koa'
import type { Principal, Route } from './route'

/** The route a request was matched to, with the text that stands for each `:name` of its path. */
export type RouteMatch = { route: Route; params: Record<string, string> }

/** What the column of middleware hands on; one object per request, made by the first of them. */
export type RequestState = {
  /** The request's id and the correlation id of the events it causes. */
  requestId: string
  /** What logs and metrics call this request: the route's written path, never the address asked for. */
  label: string
  match: RouteMatch | null
  bodyLimits: BodyLimits
  principal: Principal | null
  /** Who asks, for the log; set by signing in too. */
  userId: number | null
  sessionId: string | null
  /** The session's expiry is to be moved, once a day. */
  sessionDue: boolean
}

/** How large a body may be and how long all of it may take to arrive. */
export type BodyLimits = { maxBytes: number; timeoutMs: number }

export const stateOf = (context: Context): RequestState => context.state as RequestState
