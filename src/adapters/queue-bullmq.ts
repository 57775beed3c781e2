import type { JobQueue } from '#platform/jobs/job'
import type { Log } from '#platform/log'
import { innerId, runner } from './queue-bullmq-runner'
import { postgresServer, type QueueServer, reached, redisServer } from './queue-bullmq-servers'

const days = (count: number) => count * 24 * 60 * 60

// Long enough to recognise an event that is delivered again, and to look at what failed; bounded all the same.
const kept = {
  removeOnComplete: { age: days(14), count: 20_000 },
  removeOnFail: { age: days(60), count: 5_000 },
}

type Options = {
  /** Jobs live in the schema `jobs` of this Postgres … */
  databaseUrl: string
  /** … or, when it is given, in this Redis. */
  redisUrl?: string | undefined
  log: Log
}

/** Opens the queue on BullMQ. Only `start` makes workers. Throws StartError when its server cannot be reached. */
export const openJobQueue = async ({ databaseUrl, redisUrl, log }: Options): Promise<JobQueue> => {
  const server = redisUrl === undefined ? postgresServer(databaseUrl) : redisServer(redisUrl)
  const queue = server.queue()
  await reached(queue, server.what)
  let closing = false
  const trouble = (error: Error) => {
    if (!closing) log.warn({ err: error }, 'the job queue has trouble with its server')
  }
  queue.on('error', trouble)
  const workers: ReturnType<QueueServer['worker']>[] = []

  const enqueue: JobQueue['enqueue'] = async (declaration, payload, { id, delayMs = 0 }) => {
    await queue.add(declaration.name, payload, {
      jobId: innerId(declaration.name, id),
      delay: delayMs,
      attempts: declaration.attempts,
      backoff: { type: 'exponential', delay: declaration.backoffMs },
      ...kept,
    })
  }

  const start: JobQueue['start'] = async (works) => {
    const worker = server.worker(runner(works, log))
    worker.on('error', trouble)
    workers.push(worker)
    await worker.waitUntilReady()
    return () => worker.close()
  }

  const depth: JobQueue['depth'] = async () => {
    const { waiting = 0, delayed = 0, active = 0, failed = 0 } = await queue.getJobCounts(...states)
    return { waiting, delayed, active, failed }
  }

  const ping = () =>
    Promise.race([queue.getJobCounts('active').then(() => true), later(2_000)]).catch(() => false)

  // Workers take no new job and finish those they have.
  const close = async () => {
    closing = true
    await Promise.all(workers.splice(0).map((worker) => worker.close()))
    await queue.close()
  }

  return { enqueue, start, depth, ping, close }
}

const states = ['waiting', 'delayed', 'active', 'failed'] as const

const later = (milliseconds: number) =>
  new Promise<false>((resolve) => setTimeout(() => resolve(false), milliseconds).unref())
