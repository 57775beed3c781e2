import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Registry } from 'prom-client'
import { z } from 'zod'
import { openingEvents } from '#platform/event-store/sealed-events'
import { job, work, type JobQueue } from '#platform/jobs/job'
import type { Log } from '#platform/log'
import type { Sweep } from '#platform/module'
import { withTimeout } from '#platform/pacing'
import type { Lock, Locks, Now } from '#platform/ports'
import { followEvents, startFollower, type Following } from '#platform/projections/follow-events'
import { removeOld, type Retention } from '#platform/retention'
import type { compose } from '../compose'
import type { Environment } from '../config'
import { measuredSweeps, measuredWorks, removedRows } from '../metrics/measured'
import type { Infrastructure } from './infrastructure'
import type { Failing } from './readiness'

type School = ReturnType<typeof compose>

/** `failing` lists stalled work; `stop` finishes running jobs. */
export type Worker = { followings: Following[]; failing: () => Failing[]; stop: () => Promise<void> }

export const startWorker = async (
  infrastructure: Infrastructure,
  school: School,
  { now, log, sweepEveryMs }: Environment,
  metrics: Registry,
): Promise<Worker> => {
  const { modules, cards } = school
  const { queue } = infrastructure
  const opened = openingEvents(infrastructure.eventStore, infrastructure.familyKeys)
  const reactors = modules.flatMap((module) => module.reactors)
  const followers = reactors.map(({ name, types, ...reactor }) =>
    startFollower({
      ...infrastructure,
      eventStore: opened,
      name,
      types,
      now,
      log,
      ...('react' in reactor ? { handle: reactor.react } : { handleAll: reactor.reactToAll }),
    }),
  )
  const journals = modules
    .flatMap((module) => module.journals ?? [])
    .map(({ name, batchSize, write }) =>
      followEvents({ ...infrastructure, now, log }, { name, batchSize, restMs: 250, handle: write }),
    )
  const retentions = school.retentions()
  const onRemoved = removedRows(
    metrics,
    retentions.map(({ name }) => name),
  )
  const works = [...modules.flatMap((module) => module.jobs), retentionWork(retentions, { log, onRemoved })]
  const stopJobs = await queue.start(measuredWorks(works, metrics))
  const sweeps = [
    ...modules.flatMap((module) => module.sweeps),
    ...cards.sweeps,
    retentionSweep({ queue, now }),
  ]
  const { locks } = infrastructure
  const sweeper = startSweeps(measuredSweeps(sweeps, metrics), { locks, log, everyMs: sweepEveryMs })
  const stop = async () => {
    await sweeper.stop()
    await stopJobs()
    await Promise.all([...followers, ...journals].map((follower) => follower.close()))
  }
  const followings = [...followers, ...journals]
  const failing = (): Failing[] => [
    ...stuck('reactor', followers),
    ...stuck('journal', journals),
    ...sweeper.failing().map((name) => ({ what: 'sweep' as const, name, reason: 'see the log' })),
  ]
  return { followings, failing, stop }
}

const stuck = (what: 'reactor' | 'journal', all: readonly Following[]): Failing[] =>
  all.flatMap((following) => {
    const { name, failing } = following.status()
    return failing === null ? [] : [{ what, name: name.replace(/^follower /, ''), reason: failing }]
  })

type SweepNeeds = {
  locks: Locks
  log: Log
  /** Pause between runs; 5 s by default. */
  everyMs?: number | undefined
  /** Time limit of a run; 60 s by default. */
  limitMs?: number | undefined
}

/** `failing` lists sweeps whose last run failed; `stop` waits for running ones. */
type Sweeps = { failing: () => string[]; stop: () => Promise<void> }

const usuallyEveryMs = 5_000
const usuallyLimitMs = 60_000

/** Each sweep runs on one process at a time; others take over, also from a hung one. An overlong run is abandoned. */
export const startSweeps = (sweeps: readonly Sweep[], needs: SweepNeeds): Sweeps => {
  const stopping = new AbortController()
  setMaxListeners(sweeps.length, stopping.signal)
  const failing = new Set<string>()
  const running = sweeps.map((sweep) => runUntil(stopping.signal, sweep, needs, failing))
  return {
    failing: () => [...failing],
    stop: async () => {
      stopping.abort()
      await Promise.all(running)
    },
  }
}

const runUntil = async (
  signal: AbortSignal,
  { name, run }: Sweep,
  { locks, log, everyMs = usuallyEveryMs, limitMs = usuallyLimitMs }: SweepNeeds,
  failing: Set<string>,
): Promise<void> => {
  let lock: Lock | null = null
  const giveBack = async () => {
    await lock?.end()
    lock = null
  }
  for (;;) {
    await pause(everyMs, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return giveBack()
    try {
      lock ??= await held(locks, name, () => (lock = null))
      if (lock) await withTimeout(limitMs, run(), () => new Error(`It took longer than ${limitMs / 1000} s`))
      failing.delete(name)
    } catch (err) {
      failing.add(name)
      log.error({ err, sweep: name }, 'a sweep failed')
      await giveBack()
    }
  }
}

const held = async (locks: Locks, name: string, onLost: () => void): Promise<Lock | null> => {
  const lock = await locks.tryAcquire(`sweep ${name}`, { relieve: true })
  void lock?.lost.then(onLost)
  return lock
}

const removeOldJob = job({
  name: 'remove-old-rows',
  payload: z.object({}),
  attempts: 1,
  backoffMs: 1_000,
})

const retentionEveryMs = 10 * 60_000

type RetentionNeeds = { log: Log; onRemoved: (name: string, rows: number) => void }

const retentionWork = (retentions: readonly Retention[], needs: RetentionNeeds) =>
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
