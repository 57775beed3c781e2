import type { Cards } from './card-provider'
import type { Infrastructure } from './infrastructure'
import type { Readiness } from '#platform/http/health'
import type { Projector } from '#platform/projections/projector'

type Watched = Pick<Infrastructure, 'database' | 'eventStore' | 'queue'>

/** Something that fails again and again while everything else goes on. */
export type Failing = {
  what: 'view' | 'reactor' | 'journal' | 'sweep' | 'job'
  name: string
  reason: string
}

/** What of this service fails for ever, by its name; an empty list when all is well. */
export const failingOf =
  ({ queue }: Pick<Watched, 'queue'>, projector: Projector, ofWorker: () => Failing[]) =>
  async (): Promise<Failing[]> => {
    const [aside, jobs] = await Promise.all([projector.aside(), queue.failures()])
    return [
      ...aside.map(({ view, reason }) => ({ what: 'view' as const, name: view, reason })),
      ...ofWorker(),
      ...jobs.map(({ name, count }) => ({
        what: 'job' as const,
        name,
        reason: `${count} failed for good within a day; see the log`,
      })),
    ]
  }

/**
 * Whether database, event store, queue and read models are well enough to serve. What fails by itself while the rest
 * goes on is named under `failing` and leaves the service ready: taking it away would help nobody.
 */
export const readinessOf =
  (
    { database, eventStore, queue }: Watched,
    projector: Projector,
    cardPayments: Cards['kind'],
    failing: () => Promise<Failing[]>,
  ) =>
  async (): Promise<Readiness> => {
    const [databaseAnswers, eventStoreAnswers, queueAnswers, projection, failures] = await Promise.all([
      database.pool.query('select 1').then(
        () => true,
        () => false,
      ),
      eventStore.ping(),
      queue.ping(),
      projector.status(),
      // Who cannot tell is away, which the others say.
      failing().catch(() => []),
    ])
    return {
      ready: databaseAnswers && eventStoreAnswers && queueAnswers && projection.failing === null,
      details: {
        database: databaseAnswers,
        eventStore: eventStoreAnswers,
        queue: queueAnswers,
        readModels: projection,
        failing: failures,
        cardPayments,
      },
    }
  }
