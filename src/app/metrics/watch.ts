import type { Registry } from 'prom-client'
import type { Config } from '../config'
import type { Infrastructure } from '../service/infrastructure'
import type { Failing } from '../service/readiness'
import { diskMeasures, followingMeasures, poolMeasures } from './machine'
import { queueMeasures, readinessMeasures, sizeMeasures } from './machine'
import { addMeasures, oneByOne } from './measures'
import type { Readiness } from '#platform/http/health'
import type { Log } from '#platform/log'
import type { Module } from '#platform/module'
import type { Following } from '#platform/projections/follow-events'

type Watched = {
  config: Config
  log: Log
  modules: readonly Module[]
  followings: readonly Following[]
  readiness: () => Promise<Readiness>
  failing: () => Promise<readonly Failing[]>
}

/** Adds everything that is looked up when somebody scrapes: what modules count, and how the machine does. */
export const watch = (
  registry: Registry,
  { database, queue }: Pick<Infrastructure, 'database' | 'queue'>,
  { config, log, modules, followings, readiness, failing }: Watched,
): void => {
  addMeasures(registry, log, [
    ...followingMeasures(followings),
    ...queueMeasures({ queue }),
    ...poolMeasures(database),
    ...diskMeasures(config),
    ...readinessMeasures(readiness, failing),
  ])
  const counted = [...modules.flatMap((module) => module.measures ?? []), ...sizeMeasures(database)]
  addMeasures(registry, log, counted, oneByOne())
}
