import { Gauge } from 'prom-client'
import type { Registry } from 'prom-client'
import type { Cards } from './card-provider'
import type { Infrastructure } from './infrastructure'
import type { Readiness } from '#platform/http/health'
import type { Module } from '#platform/module'
import type { Projector } from '#platform/projections/projector'

type Watched = Pick<Infrastructure, 'database' | 'eventStore' | 'queue'>

/** Whether database, event store, queue and read models are well enough to serve. */
export const readinessOf =
  ({ database, eventStore, queue }: Watched, projector: Projector, cardPayments: Cards['kind']) =>
  async (): Promise<Readiness> => {
    const [databaseAnswers, eventStoreAnswers, queueAnswers, projection] = await Promise.all([
      database.pool.query('select 1').then(
        () => true,
        () => false,
      ),
      eventStore.ping(),
      queue.ping(),
      projector.status(),
    ])
    return {
      ready: databaseAnswers && eventStoreAnswers && queueAnswers && projection.failing === null,
      details: {
        database: databaseAnswers,
        eventStore: eventStoreAnswers,
        queue: queueAnswers,
        readModels: projection,
        cardPayments,
      },
    }
  }

/** Adds the service's own gauges to Node's: how far read models lag, how deep the queue is, what modules measure. */
export const watch = (
  registry: Registry,
  { queue }: Watched,
  projector: Projector,
  modules: readonly Module[],
): void => {
  const gauge = (name: string, help: string, value: () => Promise<number>) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.set(await value())
      },
    })
  gauge('tuckshop_projector_failing', '1 while the read models cannot be brought up to date', async () =>
    (await projector.status()).failing === null ? 0 : 1,
  )
  for (const state of ['waiting', 'delayed', 'active', 'failed'] as const)
    gauge(`tuckshop_jobs_${state}`, `Jobs that are ${state}`, async () => (await queue.depth())[state])
  for (const { name, help, value } of modules.flatMap((module) => module.measures ?? []))
    gauge(name, help, value)
}
