import type { Redis } from 'ioredis'
import type { Context, Middleware } from 'koa'
import type { Pool } from 'pg'
import {
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible'
import { limitConcurrency } from '#platform/pacing'
import { deleteUntil, type Retention } from '#platform/retention'
import { httpRefusal, tooManyRequests, stateOf } from './request'
import type { RateLimit } from './route'

export const plainAddress = (ip: string): string => (ip.startsWith('::ffff:') ? ip.slice(7) : ip)

/** Rate limit key: the IPv4 address, or the subscriber's IPv6 /64. */
export const callerKey = (ip: string): string => {
  const address = plainAddress(ip)
  if (!address.includes(':')) return address
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const after = tail === '' ? 0 : tail.split(':').length
    while (groups.length + after < 8) groups.push('0')
  }
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** Consumes a call, or returns one with -1. Answers 0, or whole seconds until the budget is full. */
export type ConsumeCall = (limit: RateLimit, key: string, calls?: 1 | -1) => Promise<number>

type BudgetStore = { redis: Redis | null; pool: Pool }

/** Shared by all processes, in real time. While the store is away each process counts alone. */
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
  // Rejects over-budget callers without the store; the last call may still be returned.
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

/** A full budget needs no row. */
export const rateLimitRetention = (pool: Pool): Retention => ({
  name: 'platform.rate_limits',
  kept: 'at most a day',
  about: 'The network address you come from, counted against misuse',
  remove: deleteUntil(pool, 'platform.rate_limits', 'expire <= $1', Date.now),
})

export const rateLimit =
  (limit: RateLimit, take: ConsumeCall): Middleware =>
  async (context, next) => {
    const retryAfter = await take(limit, budgetOf(context, limit))
    if (retryAfter > 0) throw tooManyRequests(retryAfter)
    return next()
  }

export type Budget = readonly [limit: RateLimit, key: string]

/** Each attempt consumes first and returns it on success, so that correct use is never limited and concurrent attempts are. */
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

const writes: RateLimit = { name: 'writes', points: 120, seconds: 60, by: 'user' }

export const writeLimit = (take: ConsumeCall): Middleware => {
  const limited = rateLimit(writes, take)
  return (context, next) => (stateOf(context).userId === null ? next() : limited(context, next))
}

/** Counts in this process only. */
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

/** Two uploads at once, since each is in memory several times. Sixteen more wait unread; others are refused. */
export const uploadTurns = (): Middleware => {
  const inTurn = limitConcurrency(maxUploads)
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
