import type { compose } from './compose'
import type { Infrastructure } from './infrastructure'
import { startSweeper } from './sweeper'
import type { Surroundings } from './surroundings'
import { sweepRateLimits } from '#platform/http/rate-limits'
import type { Sweep } from '#platform/module'
import { followEvents } from '#platform/projections/follow-events'
import { startFollower } from '#platform/projections/follower'

/** Jobs, reactors, journals and sweeps; answers how to stop them, the jobs that run being finished. */
export const startWorker = async (
  infrastructure: Infrastructure,
  { modules, sessions, cards }: ReturnType<typeof compose>,
  { now, log }: Surroundings,
): Promise<() => Promise<void>> => {
  const reactors = modules.flatMap((module) => module.reactors)
  const followers = reactors.map(({ name, types, react }) =>
    startFollower({ ...infrastructure, name, types, now, log, handle: react }),
  )
  const journals = modules
    .flatMap((module) => module.journals ?? [])
    .map(({ name, batchSize, write }) =>
      followEvents({ ...infrastructure, now, log }, { name, batchSize, restMs: 50, handle: write }),
    )
  const stopJobs = await infrastructure.queue.start(modules.flatMap((module) => module.jobs))
  const housekeeping: Sweep[] = [
    { name: 'end-expired-sessions', run: async () => void (await sessions.sweep()) },
    {
      name: 'forget-old-call-budgets',
      run: async () => void (await sweepRateLimits(infrastructure.database.pool)),
    },
  ]
  const sweeps = [...modules.flatMap((module) => module.sweeps), ...cards.sweeps, ...housekeeping]
  const sweeper = startSweeper(sweeps, log)
  return async () => {
    await sweeper.stop()
    await stopJobs()
    await Promise.all([...followers, ...journals].map((follower) => follower.close()))
  }
}
