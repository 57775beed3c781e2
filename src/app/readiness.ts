import type { Cards } from './card-provider'
import type { Infrastructure } from './infrastructure'
import type { Readiness } from '#platform/http/health'
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
