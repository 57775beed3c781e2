import { type Job as StoredJob, UnrecoverableError } from 'bullmq'
import { Refusal } from '#kernel/refusal'
import type { JobWork } from '#platform/jobs/job'
import type { Log } from '#platform/log'

/** A job's id within the one queue: two jobs made from one event are two jobs. */
export const innerId = (name: string, id: string): string => `${name}.${id}`

const outerId = (job: Pick<StoredJob, 'id' | 'name'>): string => (job.id ?? '').slice(job.name.length + 1)

/**
 * Runs one stored job: parses its payload, calls its handler, logs what went wrong. A refusal ends the job, for asking
 * again would not change the answer; a payload or a name that nobody understands fails it at once; anything else is
 * tried again as often as the job allows.
 */
export const runner = (works: JobWork[], log: Log) => {
  const byName = new Map(works.map((work) => [work.job.name, work]))
  return async (stored: StoredJob): Promise<void> => {
    const about = { jobId: outerId(stored), attempt: stored.attemptsMade + 1 }
    const named = { job: stored.name, ...about }
    const work = byName.get(stored.name)
    const payload = work?.job.payload.safeParse(stored.data)
    if (work === undefined || !payload?.success) {
      log.error({ ...named, err: payload?.error }, 'a job failed: nobody understands it')
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
