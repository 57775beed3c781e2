import type { Context, Middleware } from 'koa'
import { Histogram, type Registry } from 'prom-client'
import { v7 } from 'uuid'
import type { Log } from '#platform/log'
import type { Principal } from './route'

/** What the middleware hand on about one request; made by the first of them. */
export type RequestState = {
  /** The request's id and the correlation id of the events it causes. */
  requestId: string
  /** What logs and metrics call this request: the route's written path, never the address asked for. */
  label: string
  bodyLimits: BodyLimits
  principal: Principal | null
  /** Who asks, for the log; set by signing in too. */
  userId: number | null
  sessionId: string | null
  /** The account that is signed in, and the version of its credentials. */
  signedIn: { userId: number; credentialsVersion: number } | null
  /** What the cookie carries; for the session's middleware alone. */
  sessionSecret: string | null
}

/** How large a body may be and how long all of it may take to arrive. */
export type BodyLimits = { maxBytes: number; timeoutMs: number }

export const stateOf = (context: Context): RequestState => context.state as RequestState

/** Labels of health checks, files and pages, which are logged at debug. */
export const debugOnlyRoutes = { health: 'health', file: 'file', page: 'page' } as const
const quiet = new Set<string>(Object.values(debugOnlyRoutes))

/**
 * The outermost middleware: gives the request its id and state, and afterwards writes one line and one measurement.
 * Neither holds an address, a header or a body, so that no secret in them is ever logged.
 */
export const observedRequest = (log: Log, registry: Registry): Middleware => {
  const durations = requestDurations(registry)
  return async (context, next) => {
    const startedAt = performance.now()
    const state = freshState(context)
    context.state = state
    context.set('X-Request-Id', state.requestId)
    await next()
    const ms = performance.now() - startedAt
    const { method, status } = context
    durations.labels(method, state.label, String(status)).observe(ms / 1000)
    const { requestId, label, userId } = state
    const line = { requestId, method, route: label, status, ms: Math.round(ms * 10) / 10, userId }
    if (quiet.has(label)) log.debug(line, 'request')
    else log.info(line, 'request')
  }
}

const saneRequestId = /^[\w.-]{8,100}$/
const noBody: BodyLimits = { maxBytes: 0, timeoutMs: 0 }

const freshState = (context: Context): RequestState => {
  const sent = context.req.headers['x-request-id']
  return {
    requestId: typeof sent === 'string' && saneRequestId.test(sent) ? sent : v7(),
    label: 'unmatched',
    bodyLimits: noBody,
    principal: null,
    userId: null,
    sessionId: null,
    signedIn: null,
    sessionSecret: null,
  }
}

const name = 'http_request_duration_seconds'

/** Durations by method, written path and status; servers of one process share the histogram. */
const requestDurations = (registry: Registry) =>
  (registry.getSingleMetric(name) as Histogram<'method' | 'route' | 'status'> | undefined) ??
  new Histogram({
    name,
    help: 'Duration of HTTP requests in seconds',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
