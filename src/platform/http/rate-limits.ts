import type { Redis } from 'ioredis'
import type { Context, Middleware } from 'koa'
import type { Pool } from 'pg'
import { RateLimiterPostgres, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { Log } from '#platform/log'
import { deleteUntil, type Retention } from '#platform/retention'
import { callerKey } from './caller-key'
import { httpRefusal } from './http-refusals'
import { stateOf } from './request'
import type { RateLimit } from './route'

/** Takes one call from a caller's budget. Answers 0, or the whole seconds until the budget is full again. */
export type TakeCall = (limit: RateLimit, key: string) => Promise<number>

/** Where budgets are counted: in Redis, or without one in `platform.rate_limits`. */
type BudgetStore = { redis: Redis | null; pool: Pool }

/** Budgets shared by all processes, counted in real time. */
export const callBudgets = (store: BudgetStore): TakeCall => {
  const limiters = new Map<string, RateLimiterPostgres | RateLimiterRedis>()
  return async (limit, key) => {
    const limiter = limiters.get(limit.name) ?? limiterFor(store, limit)
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

const limiterFor = ({ redis, pool }: BudgetStore, { name, points, seconds }: RateLimit) => {
  // Who is over the budget is turned away without asking the store again.
  const options = { keyPrefix: name, points, duration: seconds, inMemoryBlockOnConsumed: points }
  if (redis) return new RateLimiterRedis({ ...options, storeClient: redis })
  return new RateLimiterPostgres({
    ...options,
    storeClient: pool,
    storeType: 'pool',
    schemaName: 'platform',
    tableName: 'rate_limits',
    tableCreated: true,
    clearExpiredByTimeout: false,
  })
}

/** A budget that is full again is as good as none. It counts in real time. */
export const rateLimitRetention = (pool: Pool): Retention => ({
  name: 'platform.rate_limits',
  kept: 'until the budget is full again, at most an hour',
  remove: deleteUntil(pool, 'platform.rate_limits', 'expire <= $1', Date.now),
})

/** Refuses calls over this budget. When the budgets cannot be read, calls go on and the log says so. */
export const rateLimit =
  (limit: RateLimit, take: TakeCall, log: Log): Middleware =>
  async (context, next) => {
    const retryAfter = await take(limit, budgetOf(context, limit)).catch((err: unknown) => {
      log.warn({ err, requestId: stateOf(context).requestId, limit: limit.name }, 'rate limit not checked')
      return 0
    })
    if (retryAfter > 0)
      throw httpRefusal('too_many_requests', 'Too many attempts. Please wait a little and try again.', {
        extra: { retryAfter },
      })
    return next()
  }

const budgetOf = (context: Context, { by }: RateLimit) => {
  const { userId } = stateOf(context)
  return by === 'user' && userId !== null ? `user:${userId}` : callerKey(context.ip)
}
