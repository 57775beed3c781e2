import type { Context, Middleware } from 'koa'
import { Histogram, type Registry } from 'prom-client'
import { v7 } from 'uuid'
import type { Log } from '#platform/log'
import type { Principal } from './route'

export type RequestState = {
  /** Also the correlation id of its events. */
  requestId: string
  /** The route's path pattern for logs and metrics, never the actual address. */
  label: string
  bodyLimits: BodyLimits
  principal: Principal | null
  /** For the log; signing in sets it too. */
  userId: number | null
  sessionId: string | null
  /** With the version of its credentials. */
  signedIn: { userId: number; credentialsVersion: number } | null
  sessionSecret: string | null
}

export type BodyLimits = { maxBytes: number; timeoutMs: number }

export const stateOf = (context: Context): RequestState => context.state as RequestState

export const debugOnlyRoutes = { health: 'health', file: 'file', page: 'page' } as const
const quiet = new Set<string>(Object.values(debugOnlyRoutes))

/** Outermost: sets id and state, then writes one log line and one metric without address, headers or body, so that no secret is logged. */
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

const requestDurations = (registry: Registry) =>
  (registry.getSingleMetric(name) as Histogram<'method' | 'route' | 'status'> | undefined) ??
  new Histogram({
    name,
    help: 'Duration of HTTP requests in seconds',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
