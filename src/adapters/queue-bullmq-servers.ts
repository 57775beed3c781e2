import {
  createPostgresBackend,
  createRedisBackend,
  type Job,
  type Queue,
  withBackend,
  type Worker,
} from 'bullmq'
import { StartError } from '#platform/start-error'

export type RunJob = (job: Job) => Promise<unknown>

/** BullMQ on one server: where the jobs are stored is all that differs. */
export type QueueServer = {
  /** For people: the server without its password. */
  what: string
  queue: () => Pick<
    Queue,
    'add' | 'getJobCounts' | 'getJobs' | 'getFailed' | 'clean' | 'waitUntilReady' | 'close'
  > &
    Troubled
  /** From now on nobody waits for a server that is away to come back. */
  giveUp: () => void
  worker: (run: RunJob) => Pick<Worker, 'waitUntilReady' | 'close'> & Troubled
}

type Troubled = { on: (event: 'error', hear: (error: Error) => void) => unknown }

const queueName = 'tuckshop'

const workerOptions = {
  concurrency: 5,
  // A job whose process was killed is given to another after this long …
  lockDuration: 15_000,
  stalledInterval: 10_000,
  // … as often as that happens within reason; only its own failures count as attempts.
  maxStalledCount: 20,
}

/** Jobs in the schema `jobs` of a Postgres, made and brought up to date at the first use. */
export const postgresServer = (url: string): QueueServer => {
  const { Queue, Worker } = withBackend(createPostgresBackend)
  const connection = (max: number) => ({
    connectionString: url,
    schema: 'jobs',
    migrate: true,
    application_name: 'tuckshop-jobs',
    connectionTimeoutMillis: 5_000,
    max,
  })
  return {
    what: withoutPassword(url),
    queue: () => new Queue(queueName, { connection: connection(3) }),
    worker: (run) => new Worker(queueName, run, { ...workerOptions, connection: connection(5) }),
    giveUp: () => undefined,
  }
}

/** Jobs in a Redis. A command waits for one reconnection and then fails, so that no request hangs. */
export const redisServer = (url: string): QueueServer => {
  const { Queue, Worker } = withBackend(createRedisBackend)
  let givenUp = false
  const retryStrategy = (times: number) => (givenUp ? null : Math.min(times * firstRetryMs, longestRetryMs))
  return {
    what: withoutPassword(url),
    queue: () =>
      new Queue(queueName, {
        connection: { url, retryStrategy, maxRetriesPerRequest: 1, connectTimeout: 5_000 },
      }),
    worker: (run) => {
      const connection = { url, retryStrategy, maxRetriesPerRequest: null }
      return new Worker(queueName, run, { ...workerOptions, connection })
    },
    giveUp: () => void (givenUp = true),
  }
}

const firstRetryMs = 500
const longestRetryMs = 2_000

/** Waits until the queue's server answers; its first error becomes a StartError. */
export const reached = async (queue: ReturnType<QueueServer['queue']>, what: string): Promise<void> => {
  const firstError = new Promise<never>((_resolve, reject) => {
    queue.on('error', reject)
  })
  try {
    await Promise.race([queue.waitUntilReady(), firstError])
  } catch (error) {
    await queue.close().catch(() => undefined)
    const { code, message } = error as NodeJS.ErrnoException
    throw new StartError(`The job queue at ${what} cannot be reached: ${message || code}.`, { cause: error })
  }
}

const withoutPassword = (url: string): string => {
  const shown = new URL(url)
  shown.password = ''
  shown.search = ''
  return shown.href
}
