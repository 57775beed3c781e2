import type { Redis } from 'ioredis'
import type { Log } from '#platform/log'

/** Reconnects by itself; commands fail at once while Redis is away and within a second while it hangs. */
export const openRedis = async (url: string, log: Log): Promise<Redis> => {
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
