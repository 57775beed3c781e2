import type { Job as StoredJob } from 'bullmq'
import { Refusal } from '#kernel/refusal'
import type { JobQueue, JobWork } from '#platform/jobs/job'
import type { Log } from '#platform/log'
import { postgresServer, redisServer, waitUntilReached } from './servers'

/** Longer than an event may be delivered again. */
const doneJobsKept = { days: 14, count: 20_000 }

/** Failures of a holiday can still be inspected after it. */
const failedJobsKept = { days: 60, count: 5_000 }

const seconds = (days: number) => days * 24 * 60 * 60

type Kept = { days: number; count: number }

type Options = {
  /** Postgres with the schema `jobs` … */
  databaseUrl: string
  /** … or, if set, this Redis. */
  redisUrl?: string | undefined
  log: Log
  keep?: { done: Kept; failed: Kept }
}

/** Only `start` makes workers. Throws StartError when the server is unreachable. */
export const openJobQueue = async ({
  databaseUrl,
  redisUrl,
  log,
  keep = { done: doneJobsKept, failed: failedJobsKept },
}: Options): Promise<JobQueue> => {
  const server = await (redisUrl === undefined ? postgresServer(databaseUrl) : redisServer(redisUrl))
  await waitUntilReached(server, redisUrl ?? databaseUrl)
  const { queue } = server
  let closing = false
  const warn = (error: Error) => {
    if (!closing) log.warn({ err: error }, 'the job queue has an error with its server')
  }
  queue.on('error', warn)
  const stops: (() => Promise<void>)[] = []

  const bounded = boundedCalls()

  const enqueue: JobQueue['enqueue'] = (declaration, payload, { id, delayMs = 0 }) =>
    bounded(async () => {
      await queue.add(declaration.name, payload, {
        jobId: innerId(declaration.name, id),
        delay: delayMs,
        attempts: declaration.attempts,
        backoff: { type: 'exponential', delay: declaration.backoffMs },
        removeOnComplete: removedWhenOld(keep.done),
        removeOnFail: removedWhenOld(keep.failed),
      })
    })

  const start: JobQueue['start'] = async (works) => {
    const running = new Set<Promise<void>>()
    const run = runner(works, log)
    const worker = server.worker((stored) => {
      const one = run(stored).finally(() => running.delete(one))
      running.add(one)
      return one
    })
    worker.on('error', warn)
    // Forces workers whose server is away, once their jobs have ended. Another process repeats unreported jobs, as after a crash.
    const stop = async () => {
      await worker.pause(true)
      await Promise.allSettled(running)
      await worker.close(!(await ping()))
    }
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
    for (const { name, finishedOn = 0 } of await queue.getFailed(0, maxFailures - 1))
      if (finishedOn > since) counts.set(name, (counts.get(name) ?? 0) + 1)
    return [...counts].map(([name, count]) => ({ name, count }))
  }

  const oldestWaiting: JobQueue['oldestWaiting'] = async () => {
    const { waiting = 0 } = await queue.getJobCounts('waiting')
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

  const ping = () => Promise.race([server.ping().then(() => true), later(2_000)]).catch(() => false)

  const closeOnce = async () => {
    closing = true
    await Promise.all(stops.splice(0).map((stop) => stop()))
    await server.close()
  }
  let closed: Promise<void> | null = null
  const close = () => (closed ??= closeOnce())

  return { enqueue, start, oldestWaiting, retentions, depth, failures, ping, close }
}

/** By age only: a count would make Postgres sort all ended jobs at each end. */
const removedWhenOld = ({ days }: Kept) => ({ age: seconds(days) })

const patienceMs = 3_000
const unaskedMs = 2_000

/** A call fails after 3 s, and for 2 s the next ones at once. A failed call may still succeed: the same id is one job. */
const boundedCalls = () => {
  let unaskedUntil = 0
  return async (call: () => Promise<void>): Promise<void> => {
    if (performance.now() < unaskedUntil) throw noAnswer()
    const called = call().then(() => true)
    if (await Promise.race([called, later(patienceMs)])) return
    called.catch(() => undefined)
    unaskedUntil = performance.now() + unaskedMs
    throw noAnswer()
  }
}

const noAnswer = () => new Error('The job queue does not answer')

const dayMs = seconds(1) * 1_000
const maxFailures = 50

const states = ['waiting', 'delayed', 'active', 'failed'] as const

const later = (milliseconds: number) =>
  new Promise<false>((resolve) => setTimeout(() => resolve(false), milliseconds).unref())

/** One queue holds all names: two jobs of one event need two ids. */
const innerId = (name: string, id: string): string => `${name}.${id}`

const outerId = (job: Pick<StoredJob, 'id' | 'name'>): string => (job.id ?? '').slice(job.name.length + 1)

/** A refusal ends the job; an unknown name or bad payload fails it at once; other errors are retried as the job allows. */
const runner = (works: JobWork[], log: Log) => {
  const byName = new Map(works.map((work) => [work.job.name, work]))
  return async (stored: StoredJob): Promise<void> => {
    const about = { jobId: outerId(stored), attempt: stored.attemptsMade + 1 }
    const named = { job: stored.name, ...about }
    const work = byName.get(stored.name)
    const payload = work?.job.payload.safeParse(stored.data)
    if (work === undefined || !payload?.success) {
      log.error({ ...named, err: payload?.error }, 'a job failed: nobody understands it')
      const { UnrecoverableError } = await import('bullmq')
      throw new UnrecoverableError('Nobody understands this job')
    }
    try {
      await work.handle(payload.data, about)
    } catch (error) {
      if (error instanceof Refusal) {
        log.info({ ...named, code: error.code }, 'a job was refused')
        return
      }
      const last = about.attempt >= (stored.opts.attempts ?? 1)
      if (last) log.error({ ...named, err: error }, 'a job failed for good')
      else log.warn({ ...named, err: error }, 'a job failed and will be tried again')
      throw error
    }
  }
}
