import {
  createPostgresBackend,
  createRedisBackend,
  type Job,
  type Queue,
  withBackend,
  type Worker,
} from 'bullmq'
import { setTimeout as pause } from 'node:timers/promises'
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
  const { Queue } = withBackend(createRedisBackend)
  let givenUp = false
  const retryStrategy = (times: number) => (givenUp ? null : Math.min(times * firstRetryMs, longestRetryMs))
  return {
    what: withoutPassword(url),
    queue: () =>
      new Queue(queueName, {
        connection: { url, retryStrategy, maxRetriesPerRequest: 1, connectTimeout: 5_000 },
      }),
    worker: (run) => {
      const lines = linesThatEnd(retryStrategy, linesOfWorker)
      const { Worker } = withBackend(closedAfter(lines.end))
      const connection = { url, retryStrategy: lines.retryStrategy, maxRetriesPerRequest: null }
      return new Worker(queueName, run, { ...workerOptions, connection })
    },
    giveUp: () => void (givenUp = true),
  }
}

type RetryStrategy = (times: number) => number | null

/**
 * `end` has lines to a server that is away call it no more; it answers whether so many have ended, once the last of them
 * should have.
 */
const linesThatEnd = (retryStrategy: RetryStrategy, count: number) => {
  let left = count
  let isOver = false
  let ended!: (all: true) => void
  const last = new Promise<true>((resolve) => (ended = resolve))
  return {
    retryStrategy: (times: number) => {
      const retryMs = isOver ? null : retryStrategy(times)
      if (retryMs === null && (left -= 1) === 0) ended(true)
      return retryMs
    },
    end: () => {
      isOver = true
      return Promise.race([last, pause(longestRetryMs + firstRetryMs, false, { ref: false })])
    },
  }
}

/** Cut while it is about to call again, a line keeps what it was asked, and with it the process for eleven seconds. */
const closedAfter =
  (end: () => Promise<boolean>): typeof createRedisBackend =>
  (...given) => {
    const backend = createRedisBackend(...given)
    const close = backend.close.bind(backend)
    backend.close = async (force) => close(force && !(await end()))
    return backend
  }

// One for its commands, one on which it waits for jobs.
const linesOfWorker = 2
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
