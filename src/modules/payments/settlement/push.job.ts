import { z } from 'zod'
import { job, work } from '#platform/jobs/job'
import { answerPush } from './push.commands'
import type { PushNeeds } from './push.commands'

/** Looks into a push right after it came; the sweep is the net below it. */
export const answerPushJob = job({
  name: 'answer-push',
  payload: z.object({ pushId: z.uuid() }),
  attempts: 1,
  backoffMs: 1_000,
})

export const answerPushWork = (needs: PushNeeds) =>
  work(answerPushJob, ({ pushId }) => answerPush(needs)(pushId))
