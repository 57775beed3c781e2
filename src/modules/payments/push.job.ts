import { z } from 'zod'
import { job, work } from '#platform/jobs/job'
import { answerPushes } from './push.commands'
import type { PushNeeds } from './push.commands'

/** Looks into pushes right after they came; the sweep is the net below it. */
export const answerPushesJob = job({
  name: 'answer-pushes',
  payload: z.object({}),
  attempts: 1,
  backoffMs: 1_000,
})

export const answerPushesWork = (needs: PushNeeds) => work(answerPushesJob, () => answerPushes(needs)())
