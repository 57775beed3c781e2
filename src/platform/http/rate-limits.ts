import type { Redis } from 'ioredis'
import type { Context, Middleware } from 'koa'
import type { Pool } from 'pg'
import {
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible'
import { deleteUntil, type Retention } from '#platform/retention'
import { callerKey } from './caller-key'
import { tooManyRequests } from './http-refusals'
import { stateOf } from './request'
import type { RateLimit } from './route'

/** Takes one call from a caller's budget. Answers 0, or the whole seconds until the budget is full again. */
export type TakeCall = (limit: RateLimit, key: string) => Promise<number>

/** Where budgets are counted: in Redis, or without one in `platform.rate_limits`, over connections of their own. */
export type BudgetStore = { redis: Redis | null; pool: Pool }

/**
 * Budgets shared by all processes, counted in real time. While their store cannot be asked, each process counts the same
 * budgets for itself.
 */
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
  const budget = { keyPrefix: name, points, duration: seconds }
  // Who is over the budget is turned away without asking the store again.
  const options = {
    ...budget,
    inMemoryBlockOnConsumed: points,
    insuranceLimiter: new RateLimiterMemory(budget),
  }
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

/** Refuses calls over this budget. */
export const rateLimit =
  (limit: RateLimit, take: TakeCall): Middleware =>
  async (context, next) => {
    const retryAfter = await take(limit, budgetOf(context, limit))
    if (retryAfter > 0) throw tooManyRequests(retryAfter)
    return next()
  }

/** What anybody signed in may change in a minute, whatever it is. */
const writes: RateLimit = { name: 'writes', points: 120, seconds: 60, by: 'user' }

/** Refuses more writing calls of one user than anybody makes by hand. */
export const writeLimit = (take: TakeCall): Middleware => {
  const limited = rateLimit(writes, take)
  return (context, next) => (stateOf(context).userId === null ? next() : limited(context, next))
}

/** Refuses more than `most` calls of one user at the same time, in this process; all routes of one limiter share it. */
export const atOnceLimit = (most: number): Middleware => {
  const running = new Map<number, number>()
  return async (context, next) => {
    const { userId } = stateOf(context)
    if (userId === null) return next()
    const count = running.get(userId) ?? 0
    if (count >= most) throw tooManyRequests(1)
    running.set(userId, count + 1)
    try {
      await next()
    } finally {
      const left = running.get(userId)! - 1
      if (left === 0) running.delete(userId)
      else running.set(userId, left)
    }
  }
}

const budgetOf = (context: Context, { by }: RateLimit) => {
  const { userId } = stateOf(context)
  return by === 'user' && userId !== null ? `user:${userId}` : callerKey(context.ip)
}
