import { z } from 'zod'
import { job, work } from '#platform/jobs/job'
import type { JobWork } from '#platform/jobs/job'
import { acknowledgePayment } from './acknowledge.commands'
import { fulfilAttempt } from './fulfil.commands'
import type { SettleNeeds } from './verify-and-settle.commands'

const payload = z.object({ attemptId: z.uuid() })

/** Makes the orders of a paid attempt (E14 to E16). */
export const fulfilJob = job({ name: 'fulfil-payment', payload, attempts: 5, backoffMs: 2_000 })
/** Tells the provider that the payment was noted. */
export const acknowledgeJob = job({ name: 'acknowledge-payment', payload, attempts: 5, backoffMs: 5_000 })

const byJob = (name: string, jobId: string) => ({ actor: `job:${name}`, correlationId: jobId })

export const settlingWorks = (needs: SettleNeeds): JobWork[] => [
  work(fulfilJob, async ({ attemptId }, { jobId }) => {
    await fulfilAttempt(needs)(attemptId, byJob(fulfilJob.name, jobId))
  }),
  work(acknowledgeJob, ({ attemptId }, { jobId }) =>
    acknowledgePayment(needs)(attemptId, byJob(acknowledgeJob.name, jobId)),
  ),
]
