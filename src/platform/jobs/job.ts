import type { z } from 'zod'
import type { Log } from '#platform/log'
import type { Retention } from '#platform/retention'

/** A job's declaration, apart from its handler. `attempts` counts the first try; `backoffMs` doubles with each. */
export type Job<Payload = unknown> = {
  name: string
  payload: z.ZodType<Payload>
  attempts: number
  backoffMs: number
}

export const job = <Payload>(declaration: Job<Payload>): Job<Payload> => declaration

/** What runs a job. It may run more than once for one job: the command behind it is safe to repeat. */
export type JobHandler<Payload> = (
  payload: Payload,
  about: { jobId: string; attempt: number },
) => Promise<void>

export type JobWork = { job: Job; handle: JobHandler<unknown> }

/** Ties a declaration to its handler for the worker. */
export const work = <Payload>(declaration: Job<Payload>, handle: JobHandler<Payload>): JobWork => ({
  job: declaration as Job,
  handle: handle as JobHandler<unknown>,
})

/**
 * What follows something that is stored and that a sweep does as well, e.g. enqueuing its job: where it fails it is only done later, and what
 * is stored is answered as done.
 */
export const orBySweep = (done: Promise<unknown>, what: string, log: Log | undefined): Promise<void> =>
  done.then(
    () => undefined,
    (err: unknown) => log?.warn({ err, what }, 'left to the next sweep'),
  )

/**
 * The queue. `id` is deterministic (from an event or row id; no colon, not digits only): the same id is one job while
 * it is known to the queue. `delayMs` is real time.
 */
export type JobQueue = {
  enqueue: <Payload>(
    declaration: Job<Payload>,
    payload: Payload,
    options: { id: string; delayMs?: number },
  ) => Promise<void>
  /** Starts a worker; the answer stops it again, once the jobs it runs are finished. */
  start: (works: JobWork[]) => Promise<() => Promise<void>>
  /** When the job that has waited longest was enqueued, in ms since 1970; null when none waits. */
  oldestWaiting: () => Promise<number | null>
  /** What is forgotten of jobs that are over. */
  retentions: Retention[]
  depth: () => Promise<{ waiting: number; delayed: number; active: number; failed: number }>
  /** Kinds of jobs of which some failed for good within the last day, and how many. */
  failures: () => Promise<{ name: string; count: number }[]>
  ping: () => Promise<boolean>
  close: () => Promise<void>
}
