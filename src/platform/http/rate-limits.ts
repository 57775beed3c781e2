import type { Redis } from 'ioredis'
import type { Context, Middleware } from 'koa'
import type { Pool } from 'pg'
import {
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible'
import { atMost } from '#platform/at-most'
import { deleteUntil, type Retention } from '#platform/retention'
import { callerKey } from './caller-key'
import { httpRefusal, tooManyRequests } from './http-refusals'
import { stateOf } from './request'
import type { RateLimit } from './route'

/**
 * Takes one call from a caller's budget, or with -1 gives one back. Answers 0, or the whole seconds until the budget is
 * full again.
 */
export type ConsumeCall = (limit: RateLimit, key: string, calls?: 1 | -1) => Promise<number>

/** Where budgets are counted: in Redis, or without one in `platform.rate_limits`, over connections of their own. */
export type BudgetStore = { redis: Redis | null; pool: Pool }

/**
 * Budgets shared by all processes, counted in real time. While their store cannot be asked, each process counts the same
 * budgets for itself.
 */
export const rateLimiter = (store: BudgetStore): ConsumeCall => {
  const limiters = new Map<string, RateLimiterPostgres | RateLimiterRedis>()
  return async (limit, key, calls = 1) => {
    const limiter = limiters.get(limit.name) ?? limiterFor(store, limit)
    limiters.set(limit.name, limiter)
    try {
      if (calls === 1) await limiter.consume(key)
      else await limiter.reward(key)
      return 0
    } catch (refused) {
      if (refused instanceof RateLimiterRes) return Math.max(1, Math.ceil(refused.msBeforeNext / 1000))
      throw refused
    }
  }
}

const limiterFor = ({ redis, pool }: BudgetStore, { name, points, seconds }: RateLimit) => {
  const budget = { keyPrefix: name, points, duration: seconds }
  // Who is over the budget is turned away without asking the store again; the last call may still be given back.
  const options = {
    ...budget,
    inMemoryBlockOnConsumed: points + 1,
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
  kept: 'until the budget is full again, at most a day',
  remove: deleteUntil(pool, 'platform.rate_limits', 'expire <= $1', Date.now),
})

/** Refuses calls over this budget. */
export const rateLimit =
  (limit: RateLimit, take: ConsumeCall): Middleware =>
  async (context, next) => {
    const retryAfter = await take(limit, budgetOf(context, limit))
    if (retryAfter > 0) throw tooManyRequests(retryAfter)
    return next()
  }

/** A budget and whose it is. */
export type Budget = readonly [limit: RateLimit, key: string]

/**
 * Performs an attempt that its budgets still allow and counts it if it fails in a way that `counts`: who does right is
 * never kept out by having done so often. Attempts at the same moment cannot pass a budget either, since each takes its
 * call first and gives it back.
 */
export const countingFailures = async <Result>(
  take: ConsumeCall | 'off',
  budgets: readonly Budget[],
  counts: (failure: unknown) => boolean,
  attempt: () => Promise<Result>,
): Promise<Result> => {
  if (take === 'off') return attempt()
  const waits = await Promise.all(budgets.map(([limit, key]) => take(limit, key)))
  const giveBack = () =>
    Promise.all(budgets.map(([limit, key], index) => waits[index] === 0 && take(limit, key, -1)))
  const wait = Math.max(...waits)
  if (wait > 0) {
    await giveBack()
    throw tooManyRequests(wait)
  }
  try {
    const result = await attempt()
    await giveBack()
    return result
  } catch (failure) {
    if (!counts(failure)) await giveBack()
    throw failure
  }
}

/** What anybody signed in may change in a minute, whatever it is. */
const writes: RateLimit = { name: 'writes', points: 120, seconds: 60, by: 'user' }

/** Refuses more writing calls of one user than anybody makes by hand. */
export const writeLimit = (take: ConsumeCall): Middleware => {
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

const maxUploads = 2
const maxWaitingUploads = 16
const uploadRetrySeconds = 10

/**
 * Lets two uploads at a time be read and taken in by this process, since each holds its whole file in memory several
 * times. Sixteen more wait with nothing of them read but what the network has sent ahead; others are refused.
 */
export const uploadTurns = (): Middleware => {
  const inTurn = atMost(maxUploads)
  let here = 0
  return async (_context, next) => {
    if (here >= maxUploads + maxWaitingUploads)
      throw httpRefusal(
        'too_many_requests',
        `Many files are being read at the moment. Please try again in ${uploadRetrySeconds} seconds.`,
        { extra: { retryAfter: uploadRetrySeconds } },
      )
    here += 1
    try {
      await inTurn(next)
    } finally {
      here -= 1
    }
  }
}

const budgetOf = (context: Context, { by }: RateLimit) => {
  const { userId } = stateOf(context)
  return by === 'user' && userId !== null ? `user:${userId}` : callerKey(context.ip)
}
