import { z } from 'zod'
import { job, work } from '#platform/jobs/job'
import type { Sweep } from '#platform/module'
import { resetRequestRows } from './reset-requests.rows'
import type { IdentityNeeds } from '../needs'

type Needs = Pick<IdentityNeeds, 'database' | 'now' | 'queue' | 'log'>

/** Answers one forgotten password. Its row, not the queue, says when one that failed is tried again. */
const answerResetJob = job({
  name: 'answer-password-reset',
  payload: z.object({ requestId: z.uuid() }),
  attempts: 1,
  backoffMs: 1000,
})

/** Has a request answered; with the queue away it waits for the next sweep. */
export const answerSoon = (needs: Needs) => (requestId: string) =>
  needs.queue
    .enqueue(answerResetJob, { requestId }, { id: `reset-${requestId}` })
    .catch((err: unknown) => needs.log?.warn({ err }, 'a forgotten password waits for the next sweep'))

export const resetWork = (answer: (requestId: string) => Promise<void>) =>
  work(answerResetJob, ({ requestId }) => answer(requestId))

/** Enqueues requests that should have been answered by now. */
export const resetSweep = (needs: Needs): Sweep => ({
  name: 'password-resets',
  run: async () => {
    const at = needs.now()
    for (const requestId of await resetRequestRows(needs.database.knex).takeDue(at))
      await needs.queue.enqueue(answerResetJob, { requestId }, { id: `reset-${requestId}-${at.getTime()}` })
  },
})
