import { types } from 'node:util'
import type { Context, Middleware } from 'koa'
import { Histogram, type Registry } from 'prom-client'
import { v7 } from 'uuid'
import type { FaultCode } from '#contracts/endpoint'
import { Refusal } from '#kernel/refusal'
import { EventStoreUnavailable } from '#platform/event-store/event-store'
import { isOutage } from '#platform/failures'
import type { Log } from '#platform/log'
import type { Principal } from './route'

type RequestState = {
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

/** `idleMs`: without a byte. */
export type BodyLimits = { maxBytes: number; timeoutMs: number; idleMs: number }

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
const noBody: BodyLimits = { maxBytes: 0, timeoutMs: 0, idleMs: 0 }

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

// Headers a failed handler may have set.
const headersOfSuccess = ['Content-Disposition', 'Content-Encoding', 'ETag', 'Last-Modified']

/** One shape for all errors (DESIGN section 4): Refusal by its code's status, outage 503, other 500. An unlisted code is a fault. */
export const errorReplies = (statuses: Readonly<Record<string, number>>, log: Log): Middleware => {
  return async (context, next) => {
    try {
      await next()
      refuseUnanswered(context)
    } catch (error) {
      const status = error instanceof Refusal ? (error.status ?? statuses[error.code]) : undefined
      if (status === undefined) answerFault(context, error, log)
      else answerRefusal(context, error as Refusal, status)
    }
  }
}

const refuseUnanswered = (context: Context) => {
  const { status, body } = context
  if (body !== undefined && body !== null) return
  if (status === 404) throw notFound()
  // The router answers 501 to methods no route has.
  if (status === 405 || status === 501)
    throw httpRefusal('method_not_allowed', `This address takes ${context.response.get('Allow')} only`)
}

const answerRefusal = (context: Context, refusal: Refusal, status: number) => {
  const { message, code, extra, fields } = refusal
  if (typeof extra.retryAfter === 'number') context.set('Retry-After', String(extra.retryAfter))
  answer(context, status, { ...extra, ...(fields && { fields }), message, error: message, code })
}

const faultMessage = 'Something went wrong on our side. Please try again.'

const noAppendMessage = 'Nothing can be ordered or changed at the moment. Please try again in a minute.'
const outageMessage = 'We cannot reach our records at the moment. Please try again in a minute.'
const outageSeconds = 5

const answerFault = (context: Context, error: unknown, log: Log) => {
  const { requestId, label, userId } = stateOf(context)
  const err = types.isNativeError(error) ? error : new Error(`Thrown: ${String(error)}`)
  const about = { err, requestId, method: context.method, route: label, userId }
  if (isOutage(error)) {
    log.error(about, 'a server behind this one is away or full')
    context.set('Retry-After', String(outageSeconds))
    return answerUnknown(context, 503, outageMessage, 'unavailable')
  }
  if (error instanceof EventStoreUnavailable) {
    log.warn(about, 'the event store is away')
    context.set('Retry-After', String(outageSeconds))
    return answerUnknown(context, 503, noAppendMessage, 'event_store_unavailable')
  }
  log.error(about, 'fault')
  answerUnknown(context, 500, faultMessage, 'internal_error')
}

const answerUnknown = (context: Context, status: number, message: string, code: FaultCode) =>
  answer(context, status, { message, error: message, code })

const answer = (context: Context, status: number, body: Record<string, unknown>) => {
  if (context.headerSent) {
    context.res.destroy()
    return
  }
  for (const header of headersOfSuccess) context.remove(header)
  replyJson(context, status, body)
}

/** Uncacheable JSON; undefined is an empty answer. */
export const replyJson = (context: Context, status: number, value: unknown): void => {
  context.status = status
  context.set('Cache-Control', 'no-store')
  context.set('Content-Type', 'application/json; charset=utf-8')
  context.body = JSON.stringify(value) ?? null
}

export type HttpRefusal =
  | 'malformed_request'
  | 'not_signed_in'
  | 'forbidden'
  | 'password_change_required'
  | 'second_factor_setup_required'
  | 'cross_site'
  | 'not_found'
  | 'idempotency_key_reused'
  | 'changed_meanwhile'
  | 'method_not_allowed'
  | 'request_too_slow'
  | 'request_too_large'
  | 'unsupported_media_type'
  | 'validation_failed'
  | 'too_many_requests'

export const httpRefusals = {
  malformed_request: 400,
  not_signed_in: 401,
  forbidden: 403,
  password_change_required: 403,
  second_factor_setup_required: 403,
  cross_site: 403,
  not_found: 404,
  method_not_allowed: 405,
  idempotency_key_reused: 409,
  changed_meanwhile: 409,
  request_too_slow: 408,
  request_too_large: 413,
  unsupported_media_type: 415,
  validation_failed: 422,
  too_many_requests: 429,
} satisfies Record<HttpRefusal, number>

export const uploadRefusals = {
  upload_malformed: 400,
  no_file: 422,
  not_csv: 422,
  no_headings: 422,
  mapping_needed: 422,
  other_currency: 422,
  file_too_large: 413,
  too_many_rows: 413,
}

export const uploadRefusal = (code: keyof typeof uploadRefusals, message: string) =>
  new Refusal(code, message)

/** `extra.retryAfter` (whole seconds) becomes the Retry-After header. */
export const httpRefusal = (
  code: HttpRefusal,
  message: string,
  more?: ConstructorParameters<typeof Refusal>[2],
) => new Refusal<HttpRefusal>(code, message, more)

export const tooManyRequests = (retryAfter: number) =>
  httpRefusal('too_many_requests', `Too many attempts. Please try again in ${waitingTime(retryAfter)}.`, {
    extra: { retryAfter },
  })

/** "40 minutes". */
export const waitingTime = (seconds: number): string => {
  if (seconds < 60) return counted(seconds, 'second')
  const minutes = Math.ceil(seconds / 60)
  return minutes < 120 ? counted(minutes, 'minute') : counted(Math.ceil(minutes / 60), 'hour')
}

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`

export const notFound = () => httpRefusal('not_found', 'Not found')
