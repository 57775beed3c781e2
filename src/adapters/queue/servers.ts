import { setTimeout as pause } from 'node:timers/promises'
import type { Job, Queue, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import { StartError } from '#platform/failures'
import type { Log } from '#platform/log'

type QueueServer = {
  queue: Pick<
    Queue,
    'add' | 'getJobCounts' | 'getJobs' | 'getFailed' | 'clean' | 'waitUntilReady' | 'close'
  > &
    WithErrors
  worker: (
    run: (job: Job) => Promise<unknown>,
  ) => Pick<Worker, 'waitUntilReady' | 'pause' | 'close'> & WithErrors
  ping: () => Promise<unknown>
  close: () => Promise<void>
}

type WithErrors = { on: (event: 'error', onError: (error: Error) => void) => unknown }

const queueName = 'tuckshop'

const workerOptions = {
  concurrency: 5,
  // Time until a killed process's job goes to another …
  lockDuration: 15_000,
  stalledInterval: 10_000,
  // … almost without limit; only its own failures count as attempts.
  maxStalledCount: 20,
}

export const postgresServer = async (url: string): Promise<QueueServer> => {
  const { createPostgresBackend, withBackend } = await import('bullmq')
  const backend = withBackend(createPostgresBackend)
  const connection = (max: number) => ({
    connectionString: url,
    schema: 'jobs',
    migrate: true,
    application_name: 'tuckshop-jobs',
    connectionTimeoutMillis: 5_000,
    query_timeout: 15_000,
    max,
  })
  const queue = new backend.Queue(queueName, { connection: connection(3) })
  return {
    queue,
    worker: (run) => new backend.Worker(queueName, run, { ...workerOptions, connection: connection(5) }),
    ping: () => queue.getJobCounts('active'),
    close: () => queue.close(),
  }
}

/** Queue commands fail after 3 s, so that no request hangs; workers wait until the server is back, as BullMQ demands. */
export const redisServer = async (url: string): Promise<QueueServer> => {
  const [{ Redis }, { Queue, Worker }] = await Promise.all([import('ioredis'), import('bullmq')])
  const options = { retryStrategy: (times: number) => Math.min(times * 500, 2_000), connectTimeout: 5_000 }
  const redis = new Redis(url, { ...options, maxRetriesPerRequest: 1, commandTimeout: 3_000 })
  // Without a listener the library prints what the queue has reported.
  redis.on('error', () => undefined)
  const queue = new Queue(queueName, { connection: redis })
  const connection = { url, ...options, maxRetriesPerRequest: null, socketTimeout: 30_000 }
  return {
    queue,
    worker: (run) => new Worker(queueName, run, { ...workerOptions, connection }),
    ping: () => redis.ping(),
    close: async () => {
      await queue.close()
      redis.disconnect()
    },
  }
}

/** The first error becomes a StartError that names `url` without its password. */
export const waitUntilReached = async ({ queue, close }: QueueServer, url: string): Promise<void> => {
  const firstError = new Promise<never>((_resolve, reject) => {
    queue.on('error', reject)
  })
  try {
    await Promise.race([queue.waitUntilReady(), firstError, silent(reachedWithinMs)])
  } catch (error) {
    // A hanging server does not close in order.
    await Promise.race([close(), silent(closedWithinMs)]).catch(() => undefined)
    throw new StartError(`The job queue at ${withoutPassword(url)} cannot be reached: ${reason(error)}.`, {
      cause: error,
    })
  }
}

const reachedWithinMs = 10_000
const closedWithinMs = 1_000

const silent = async (ms: number): Promise<never> => {
  await pause(ms, undefined, { ref: false })
  throw new Error(`it did not answer within ${ms / 1000} s`)
}

const reason = (error: unknown): string => {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ECONNREFUSED') return 'nothing answers there'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'the host is not known'
  if (/^(NOAUTH|WRONGPASS)/.test(message)) return 'the user or the password is wrong'
  return (message || String(code)).replace(/\.$/, '')
}

const withoutPassword = (url: string): string => {
  const shown = new URL(url)
  shown.password = ''
  shown.search = ''
  return shown.href
}

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
