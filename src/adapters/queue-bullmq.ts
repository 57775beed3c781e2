import type { JobQueue } from '#platform/jobs/job'
import type { Log } from '#platform/log'
import { closeUnlessAway, countingRuns } from './queue-bullmq-closing'
import { innerId, runner } from './queue-bullmq-runner'
import { postgresServer, reached, redisServer } from './queue-bullmq-servers'

/** Long enough to recognise an event that is delivered again; bounded all the same. */
export const doneJobsKept = { days: 14, count: 20_000 }

/** Long enough to look at what failed, also after a holiday. */
export const failedJobsKept = { days: 60, count: 5_000 }

const seconds = (days: number) => days * 24 * 60 * 60

// The server applies these when a job ends, the retention when none does.
const kept = {
  removeOnComplete: { age: seconds(doneJobsKept.days), count: doneJobsKept.count },
  removeOnFail: { age: seconds(failedJobsKept.days), count: failedJobsKept.count },
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
  const stops: (() => Promise<void>)[] = []

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

  const removeOlder = (type: 'completed' | 'failed', days: number) => async (atMost: number) =>
    (await queue.clean(seconds(days) * 1000, atMost, type)).length

  const retentions: JobQueue['retentions'] = [
    {
      name: 'jobs.done',
      kept: `${doneJobsKept.days} days, the latest ${doneJobsKept.count.toLocaleString('en')} at most`,
      remove: removeOlder('completed', doneJobsKept.days),
    },
    {
      name: 'jobs.failed',
      kept: `${failedJobsKept.days} days, the latest ${failedJobsKept.count.toLocaleString('en')} at most`,
      remove: removeOlder('failed', failedJobsKept.days),
    },
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

const dayMs = seconds(1) * 1_000
const mostFailures = 50

const states = ['waiting', 'delayed', 'active', 'failed'] as const

const later = (milliseconds: number) =>
  new Promise<false>((resolve) => setTimeout(() => resolve(false), milliseconds).unref())
