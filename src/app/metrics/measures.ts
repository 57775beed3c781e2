import { Counter, Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import type { Log } from '#platform/log'
import type { Measure } from '#platform/module'

const patienceMs = 3_000

/** Registers measures, each looked up when somebody scrapes. One that fails is left out and counted: the others show. */
export const addMeasures = (registry: Registry, log: Log, measures: readonly Measure[]): void => {
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
        await within(patienceMs, look(measure, this)).catch((err: unknown) => {
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
