import type { z } from 'zod'
import type { Log } from '#platform/log'
import type { Retention } from '#platform/retention'

/** `attempts` includes the first; `backoffMs` doubles each time. */
export type Job<Payload = unknown> = {
  name: string
  payload: z.ZodType<Payload>
  attempts: number
  backoffMs: number
}

export const job = <Payload>(declaration: Job<Payload>): Job<Payload> => declaration

/** May run more than once per job: its command is repeatable. */
export type JobHandler<Payload> = (
  payload: Payload,
  about: { jobId: string; attempt: number },
) => Promise<void>

export type JobWork = { job: Job; handle: JobHandler<unknown> }

export const work = <Payload>(declaration: Job<Payload>, handle: JobHandler<Payload>): JobWork => ({
  job: declaration as Job,
  handle: handle as JobHandler<unknown>,
})

/** For work that a sweep also does, e.g. enqueuing a job: a failure only delays it, and the stored act is answered as done. */
export const leaveToSweep = (done: Promise<unknown>, what: string, log: Log | undefined): Promise<void> =>
  done.then(
    () => undefined,
    (err: unknown) => log?.warn({ err, what }, 'left to the next sweep'),
  )

/** `id` is deterministic, without a colon, not digits only: one job per id while the queue knows it. `delayMs` is real time. */
export type JobQueue = {
  enqueue: <Payload>(
    declaration: Job<Payload>,
    payload: Payload,
    options: { id: string; delayMs?: number },
  ) => Promise<void>
  /** Answers how to stop, after running jobs finish. */
  start: (works: JobWork[]) => Promise<() => Promise<void>>
  /** Ms since 1970; null when none waits. */
  oldestWaiting: () => Promise<number | null>
  /** Retention of ended jobs. */
  retentions: Retention[]
  depth: () => Promise<{ waiting: number; delayed: number; active: number; failed: number }>
  /** Failed for good within the last day, by kind. */
  failures: () => Promise<{ name: string; count: number }[]>
  ping: () => Promise<boolean>
  close: () => Promise<void>
}
