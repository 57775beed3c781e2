import { z } from 'zod'
import { job, work } from '#platform/jobs/job'
import { openAttemptRefunds } from './attempt-refunds.commands'
import type { AttemptRefundNeeds } from './attempt-refunds.commands'

export const openAttemptRefundsJob = job({
  name: 'open-attempt-refunds',
  payload: z.object({ attemptId: z.uuid(), eventId: z.uuid() }),
  attempts: 10,
  backoffMs: 1000,
})

export const openAttemptRefundsWork = (needs: AttemptRefundNeeds) =>
  work(openAttemptRefundsJob, ({ attemptId, eventId }) =>
    openAttemptRefunds(needs)(attemptId, { actor: 'job:open-attempt-refunds', correlationId: eventId }),
  )
