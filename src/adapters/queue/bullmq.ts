import type { JobQueue } from '#platform/jobs/job'
import type { Log } from '#platform/log'
import { closeUnlessAway, countingRuns } from './closing'
import { innerId, runner } from './runner'
import { postgresServer, reached, redisServer } from './servers'

/** Long enough to recognise an event that is delivered again; bounded all the same. */
export const doneJobsKept = { days: 14, count: 20_000 }

/** Long enough to look at what failed, also after a holiday. */
export const failedJobsKept = { days: 60, count: 5_000 }

const seconds = (days: number) => days * 24 * 60 * 60

type Kept = { days: number; count: number }

type Options = {
  /** Jobs live in the schema `jobs` of this Postgres … */
  databaseUrl: string
  /** … or, when it is given, in this Redis. */
  redisUrl?: string | undefined
  log: Log
  keep?: { done: Kept; failed: Kept }
}

/** Opens the queue on BullMQ. Only `start` makes workers. Throws StartError when its server cannot be reached. */
export const openJobQueue = async ({
  databaseUrl,
  redisUrl,
  log,
  keep = { done: doneJobsKept, failed: failedJobsKept },
}: Options): Promise<JobQueue> => {
  const server = redisUrl === undefined ? postgresServer(databaseUrl) : redisServer(redisUrl)
  const queue = server.queue()
  await reached(queue, server.what)
  let closing = false
  const trouble = (error: Error) => {
    if (!closing) log.warn({ err: error }, 'the job queue has trouble with its server')
  }
  queue.on('error', trouble)
  const stops: (() => Promise<void>)[] = []

  const enqueue: JobQueue['enqueue'] = async (declaration, payload, { id, delayMs = 0 }) => {
    await queue.add(declaration.name, payload, {
      jobId: innerId(declaration.name, id),
      delay: delayMs,
      attempts: declaration.attempts,
      backoff: { type: 'exponential', delay: declaration.backoffMs },
      removeOnComplete: removedWhenOld(keep.done),
      removeOnFail: removedWhenOld(keep.failed),
    })
  }

  const start: JobQueue['start'] = async (works) => {
    const { run, finished } = countingRuns(runner(works, log))
    const worker = server.worker(run)
    worker.on('error', trouble)
    const stop = () => closeUnlessAway(worker, ping, finished)
    stops.push(stop)
    await worker.waitUntilReady()
    return stop
  }

  const depth: JobQueue['depth'] = async () => {
    const { waiting = 0, delayed = 0, active = 0, failed = 0 } = await queue.getJobCounts(...states)
    return { waiting, delayed, active, failed }
  }

  const failures: JobQueue['failures'] = async () => {
    const since = Date.now() - dayMs
    const counts = new Map<string, number>()
    for (const { name, finishedOn = 0 } of await queue.getFailed(0, mostFailures - 1))
      if (finishedOn > since) counts.set(name, (counts.get(name) ?? 0) + 1)
    return [...counts].map(([name, count]) => ({ name, count }))
  }

  const oldestWaiting: JobQueue['oldestWaiting'] = async () => {
    const { waiting = 0 } = await queue.getJobCounts('waiting')
    // The servers count from opposite ends of the list: the older one of both ends is the oldest.
    const at = (place: number) => queue.getJobs(['waiting'], place, place, true)
    const ends = waiting === 0 ? [] : [...(await at(0)), ...(await at(waiting - 1))]
    return ends.length === 0 ? null : Math.min(...ends.map(({ timestamp }) => timestamp))
  }

  const retentionOf = (name: string, type: 'completed' | 'failed', { days, count }: Kept) => ({
    name,
    kept: `${days} days, the latest ${count.toLocaleString('en')} at most`,
    remove: async (atMost: number) => {
      const removed = (await queue.clean(seconds(days) * 1000, atMost, type)).length
      const tooMany = Math.min(atMost - removed, ((await queue.getJobCounts(type))[type] ?? 0) - count)
      return removed + (tooMany > 0 ? (await queue.clean(0, tooMany, type)).length : 0)
    },
  })
  const retentions: JobQueue['retentions'] = [
    retentionOf('jobs.done', 'completed', keep.done),
    retentionOf('jobs.failed', 'failed', keep.failed),
  ]

  const ping = () =>
    Promise.race([queue.getJobCounts('active').then(() => true), later(2_000)]).catch(() => false)

  // Workers take no new job and finish those they have.
  const closeOnce = async () => {
    closing = true
    server.giveUp()
    await Promise.all(stops.splice(0).map((stop) => stop()))
    await closeUnlessAway(queue, ping)
  }
  let closed: Promise<void> | null = null
  const close = () => (closed ??= closeOnce())

  return { enqueue, start, oldestWaiting, retentions, depth, failures, ping, close }
}

/**
 * The server does so when a job ends. How many are kept is the retention's alone: on Postgres every end of a job would
 * sort all that have ended.
 */
const removedWhenOld = ({ days }: Kept) => ({ age: seconds(days) })

const dayMs = seconds(1) * 1_000
const mostFailures = 50

const states = ['waiting', 'delayed', 'active', 'failed'] as const

const later = (milliseconds: number) =>
  new Promise<false>((resolve) => setTimeout(() => resolve(false), milliseconds).unref())
