import { type Registry, Counter, Gauge } from 'prom-client'
import type { Config } from '../config'
import type { Infrastructure } from '../service/infrastructure'
import type { Failing } from '../service/readiness'
import {
  diskMeasures,
  followingMeasures,
  poolMeasures,
  queueMeasures,
  readinessMeasures,
  sizeMeasures,
} from './machine'
import type { Readiness } from '#platform/http/http-server'
import type { Log } from '#platform/log'
import type { Module, Measure } from '#platform/module'
import type { Following } from '#platform/projections/follow-events'
import { withTimeout } from '#platform/pacing'

type Watched = {
  config: Config
  log: Log
  modules: readonly Module[]
  followings: readonly Following[]
  readiness: () => Promise<Readiness>
  failing: () => Promise<readonly Failing[]>
}

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
  addMeasures(registry, log, counted, inSequence())
}

const timeoutMs = 3_000

type Schedule = (query: () => Promise<void>, wanted: () => boolean) => Promise<void>

const atOnce: Schedule = (query) => query()

/** In sequence, so that a scrape takes one connection of the pool. */
export const inSequence = (): Schedule => {
  let last: Promise<void> = Promise.resolve()
  return (query, wanted) => {
    const mine = last.then(() => (wanted() ? query() : undefined))
    last = mine.catch(() => undefined)
    return mine
  }
}

/** A measure that fails is left out and counted; the others show. */
export const addMeasures = (
  registry: Registry,
  log: Log,
  measures: readonly Measure[],
  schedule: Schedule = atOnce,
): void => {
  const failures = failureCounter(registry)
  for (const measure of measures) {
    const { name, help, label } = measure
    const labelNames = label === undefined ? [] : [label]
    failures.inc({ measure: name }, 0)
    const gauge = new Gauge({
      name,
      help,
      labelNames,
      registers: [],
      async collect() {
        this.reset()
        let wanted = true
        const taken = schedule(
          () => take(measure, this),
          () => wanted,
        )
        await withTimeout(timeoutMs, taken, () => new Error(`No answer within ${timeoutMs} ms`)).catch(
          (err: unknown) => {
            wanted = false
            if (label === undefined) this.remove()
            failures.inc({ measure: name })
            log.warn({ err, measure: name }, 'a measure could not be taken')
          },
        )
      },
    })
    registry.registerMetric(gauge)
  }
}

const failuresName = 'tuckshop_measure_failures_total'

const failureCounter = (registry: Registry) =>
  (registry.getSingleMetric(failuresName) as Counter<'measure'> | undefined) ??
  new Counter({
    name: failuresName,
    help: 'Measures that could not be taken when somebody scraped',
    labelNames: ['measure'] as const,
    registers: [registry],
  })

const take = async (measure: Measure, gauge: Gauge) => {
  if (measure.label === undefined) gauge.set(await measure.value())
  else
    for (const [value, number] of Object.entries(await measure.values()))
      gauge.set({ [measure.label]: value }, number)
}
