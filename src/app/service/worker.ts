import type { Registry } from 'prom-client'
import type { compose } from '../compose'
import type { Infrastructure } from './infrastructure'
import { measuredSweeps, measuredWorks, removedRows } from '../metrics/measured'
import { retentionSweep, retentionWork } from './retention.job'
import type { Failing } from './readiness'
import type { Environment } from './service-options'
import { startSweeps } from './sweeps'
import { openingEvents } from '#platform/event-store/sealed-events'
import { rateLimitRetention } from '#platform/http/rate-limits'
import { requestRetention } from '#platform/request-keys'
import { followEvents, startFollower, type Following } from '#platform/projections/follow-events'

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
  const retentions = retentionsOf({ ...infrastructure, now }, school)
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

/** Retentions of docs/operations.md, "What is kept for how long". */
export const retentionsOf = (
  { database: { pool }, queue, now }: Pick<Infrastructure, 'database' | 'queue'> & Pick<Environment, 'now'>,
  { modules, cards }: Pick<School, 'modules' | 'cards'>,
) => [
  rateLimitRetention(pool),
  requestRetention(pool, now),
  ...queue.retentions,
  ...modules.flatMap((module) => module.retentions ?? []),
  ...cards.retentions,
]
