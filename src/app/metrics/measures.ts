import { Counter, Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import type { Log } from '#platform/log'
import type { Measure } from '#platform/module'

const patienceMs = 3_000

/** Runs a look at once, or after those before it; not at all when nobody waits for it any more. */
export type Turn = (look: () => Promise<void>, wanted: () => boolean) => Promise<void>

export const atOnce: Turn = (look) => look()

/** One look after another, so that a scrape takes one connection of the pool and not all of them. */
export const oneByOne = (): Turn => {
  let last: Promise<void> = Promise.resolve()
  return (look, wanted) => {
    const mine = last.then(() => (wanted() ? look() : undefined))
    last = mine.catch(() => undefined)
    return mine
  }
}

/** Registers measures, each looked up when somebody scrapes. One that fails is left out and counted: the others show. */
export const addMeasures = (
  registry: Registry,
  log: Log,
  measures: readonly Measure[],
  turn: Turn = atOnce,
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
        const looked = turn(
          () => look(measure, this),
          () => wanted,
        )
        await within(patienceMs, looked).catch((err: unknown) => {
          wanted = false
          if (label === undefined) this.remove()
          failures.inc({ measure: name })
          log.warn({ err, measure: name }, 'a measure could not be taken')
        })
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

const look = async (measure: Measure, gauge: Gauge) => {
  if (measure.label === undefined) gauge.set(await measure.value())
  else
    for (const [value, number] of Object.entries(await measure.values()))
      gauge.set({ [measure.label]: value }, number)
}

const within = async (ms: number, work: Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${ms} ms`)), ms)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
