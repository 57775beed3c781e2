import { types } from 'node:util'
import type { Context, Middleware } from 'koa'
import { Refusal } from '#kernel/refusal'
import type { Log } from '#platform/log'
import { EventStoreUnavailable } from '#platform/event-store/event-store'
import { isOutage } from '#platform/outage'
import { httpRefusal, notFound } from './http-refusals'
import { stateOf } from './request'

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
    return answer(context, 503, { message: outageMessage, error: outageMessage, code: 'unavailable' })
  }
  if (error instanceof EventStoreUnavailable) {
    log.warn(about, 'the event store is away')
    context.set('Retry-After', String(outageSeconds))
    const message = noAppendMessage
    return answer(context, 503, { message, error: message, code: 'event_store_unavailable' })
  }
  log.error(about, 'fault')
  answer(context, 500, { message: faultMessage, error: faultMessage, code: 'internal_error' })
}

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
