import { z } from 'zod'
import { job } from '#platform/jobs/job'

/** Sends one mail of the outbox. Its row, not the queue, says when a failed one is tried again. */
export const sendMailJob = job({
  name: 'send-mail',
  payload: z.object({ mailId: z.uuid() }),
  attempts: 1,
  backoffMs: 1000,
})

/** Sends one SMS of the outbox. Its row, not the queue, says when a failed one is tried again. */
export const sendSmsJob = job({
  name: 'send-sms',
  payload: z.object({ smsId: z.uuid() }),
  attempts: 1,
  backoffMs: 1000,
})
