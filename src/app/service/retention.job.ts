import { z } from 'zod'
import type { Now } from '#platform/ports'
import { job, work, type JobQueue } from '#platform/jobs/job'
import type { Log } from '#platform/log'
import type { Sweep } from '#platform/module'
import { removeOld, type Retention } from '#platform/retention'

const removeOldJob = job({
  name: 'remove-old-rows',
  payload: z.object({}),
  attempts: 1,
  backoffMs: 1_000,
})

const retentionEveryMs = 10 * 60_000

type Needs = { log: Log; onRemoved: (name: string, rows: number) => void }

export const retentionWork = (retentions: readonly Retention[], needs: Needs) =>
  work(removeOldJob, () => removeOld(retentions, needs))

/** One job per ten minutes over all workers. */
export const retentionSweep = ({ queue, now }: { queue: Pick<JobQueue, 'enqueue'>; now: Now }): Sweep => {
  let asked = 0
  return {
    name: 'remove-old-rows',
    run: async () => {
      const turn = Math.floor(now().getTime() / retentionEveryMs)
      if (turn === asked) return
      await queue.enqueue(removeOldJob, {}, { id: `turn-${turn}` })
      asked = turn
    },
  }
}
