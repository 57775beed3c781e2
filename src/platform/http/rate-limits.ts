import type { Context, Middleware } from 'koa'
import type { Pool } from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Log } from '#platform/log'
import type { Retention } from '#platform/retention'
import { deleteUntil } from '#platform/retention'
import { callerKey } from './caller-key'
import { httpRefusal } from './http-refusals'
import { stateOf } from './request-state'
import type { RateLimit } from './route'

/** Takes one call from a caller's budget. Answers 0, or the whole seconds until the budget is full again. */
export type TakeCall = (limit: RateLimit, key: string) => Promise<number>

/** Budgets in `platform.rate_limits`, shared by all processes, counted in real time. */
export const postgresRateLimits = (pool: Pool): TakeCall => {
  const limiters = new Map<string, RateLimiterPostgres>()
  return async (limit, key) => {
    const limiter = limiters.get(limit.name) ?? limiterFor(pool, limit)
    limiters.set(limit.name, limiter)
    try {
      await limiter.consume(key)
      return 0
    } catch (refused) {
      if (refused instanceof RateLimiterRes) return Math.max(1, Math.ceil(refused.msBeforeNext / 1000))
      throw refused
    }
  }
}

const limiterFor = (pool: Pool, { name, points, seconds }: RateLimit) =>
  new RateLimiterPostgres({
    storeClient: pool,
    storeType: 'pool',
    schemaName: 'platform',
    tableName: 'rate_limits',
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix: name,
    points,
    duration: seconds,
    // Who is over the budget is turned away without asking the database again.
    inMemoryBlockOnConsumed: points,
  })

/** A budget that is full again is as good as none. It counts in real time. */
export const rateLimitRetention = (pool: Pool): Retention => ({
  name: 'platform.rate_limits',
  kept: 'until the budget is full again, at most an hour',
  remove: deleteUntil(pool, 'platform.rate_limits', 'expire <= $1', Date.now),
})

/** Refuses calls over the matched route's budget. When the budgets cannot be read, calls go on and the log says so. */
export const rateLimits = (take: TakeCall | 'off', log: Log): Middleware => {
  return async (context, next) => {
    const limit = take === 'off' ? undefined : stateOf(context).match?.route.options.limit
    if (limit) await refuseOverBudget(context, limit, take as TakeCall, log)
    return next()
  }
}

const refuseOverBudget = async (context: Context, limit: RateLimit, take: TakeCall, log: Log) => {
  const { userId, requestId } = stateOf(context)
  const key = limit.by === 'user' && userId !== null ? `user:${userId}` : callerKey(context.ip)
  const retryAfter = await take(limit, key).catch((err: unknown) => {
    log.warn({ err, requestId, limit: limit.name }, 'rate limit not checked')
    return 0
  })
  if (retryAfter > 0)
    throw httpRefusal('too_many_requests', 'Too many attempts. Please wait a little and try again.', {
      extra: { retryAfter },
    })
}
