import type { Redis } from 'ioredis'
import type { Log } from '#platform/log'

/**
 * A connection to Redis that comes back by itself; while it is away, what is asked of it fails at once, and within a
 * second while it hangs.
 */
export const openRedis = async (url: string, log: Log): Promise<Redis> => {
  // Loaded only where there is a Redis.
  const { Redis } = await import('ioredis')
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    connectTimeout: 5_000,
    commandTimeout: 1_000,
  })
  redis.on('error', (err) => log.warn({ err }, 'Redis cannot be reached'))
  return redis
}
