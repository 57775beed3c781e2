import type { Context, Middleware } from 'koa'
import { v7 } from 'uuid'
import type { Log } from '#platform/log'
import type { BodyLimits, RequestState } from './request-state'
import type { ObserveRequest } from './metrics'

const saneRequestId = /^[\w.-]{8,100}$/
const noBody: BodyLimits = { maxBytes: 0, timeoutMs: 0 }

/** Labels that say no more than that the process lives and files are read; logged at debug. */
export const quietLabels = { health: 'health', file: 'file', page: 'page' } as const
const quiet = new Set<string>(Object.values(quietLabels))

/**
 * The outermost middleware: gives the request its id and state, and afterwards writes one line and one measurement.
 * Neither holds an address, a header or a body, so that no secret in them is ever logged.
 */
export const requestLog = (log: Log, observe: ObserveRequest): Middleware => {
  return async (context, next) => {
    const startedAt = performance.now()
    const state = freshState(context)
    context.state = state
    context.set('X-Request-Id', state.requestId)
    await next()
    const ms = performance.now() - startedAt
    observe(context.method, state.label, context.status, ms / 1000)
    const line = {
      requestId: state.requestId,
      method: context.method,
      route: state.label,
      status: context.status,
      ms: Math.round(ms * 10) / 10,
      userId: state.userId,
    }
    if (quiet.has(state.label)) log.debug(line, 'request')
    else log.info(line, 'request')
  }
}

const freshState = (context: Context): RequestState => {
  const sent = context.req.headers['x-request-id']
  return {
    requestId: typeof sent === 'string' && saneRequestId.test(sent) ? sent : v7(),
    label: 'unmatched',
    match: null,
    bodyLimits: noBody,
    principal: null,
    userId: null,
    sessionId: null,
    sessionDue: false,
  }
}
