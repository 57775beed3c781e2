import { setTimeout as pause } from 'node:timers/promises'
import type { Cards } from './card-provider'
import type { Infrastructure } from './infrastructure'
import type { Readiness } from '#platform/http/health'
import type { Position } from '#platform/event-store/event-store'
import type { Projectors } from '#platform/projections/projector'

type Watched = Pick<Infrastructure, 'database' | 'eventStore' | 'queue' | 'maintenance'>

/** Something that fails again and again while everything else goes on. */
export type Failing = {
  what: 'read models' | 'reactor' | 'journal' | 'sweep' | 'job'
  name: string
  reason: string
}

/** What of this service fails for ever, by its name; an empty list when all is well. */
export const failingOf =
  ({ queue }: Pick<Watched, 'queue'>, projectors: Projectors, ofWorker: () => Failing[]) =>
  async (): Promise<Failing[]> => {
    const jobs = await queue.failures()
    return [
      ...stuckContexts(projectors),
      ...ofWorker(),
      ...jobs.map(({ name, count }) => ({
        what: 'job' as const,
        name,
        reason: `${count} failed for good within a day; see the log`,
      })),
    ]
  }

const stuckContexts = (projectors: Projectors): Failing[] =>
  Object.entries(projectors.status()).flatMap(([name, { failing: reason }]) =>
    reason === null ? [] : [{ what: 'read models', name, reason }],
  )

// Who asks hears within 3 s, also while a server behind this one does not answer.
const mostMs = 2_000

/**
 * Whether database, event store, queue and read models are well enough to serve, the latter being whole. What fails by itself while the rest
 * goes on is named under `failing` and leaves the service ready: taking it away would help nobody.
 */
export const readinessOf = (
  { database, eventStore, queue, maintenance }: Watched,
  projectors: Projectors,
  cardPayments: Cards['kind'],
  failing: () => Promise<Failing[]>,
) => {
  const whole = wholeOf(eventStore, projectors)
  return async (): Promise<Readiness> => {
    const [databaseAnswers, eventStoreAnswers, queueAnswers, areWhole, running, failures] = await Promise.all(
      [
        database.pool.query('select 1').then(
          () => true,
          () => false,
        ),
        eventStore.ping(),
        queue.ping(),
        Promise.race([whole().catch(() => false), pause(mostMs, false, { ref: false })]),
        maintenance.running().catch(() => null),
        // Who cannot tell is away, which the others say.
        failing().catch(() => []),
      ],
    )
    const readModels = projectors.status()
    const anyGetsOn = Object.values(readModels).some(({ failing: reason }) => reason === null)
    return {
      ready: databaseAnswers && eventStoreAnswers && queueAnswers && anyGetsOn && areWhole,
      details: {
        database: databaseAnswers,
        eventStore: eventStoreAnswers,
        queue: queueAnswers,
        readModels,
        readModelsWhole: areWhole,
        /** A backup, rebuild, restore, copy or audit that is running, and since when. */
        maintenance: running,
        failing: failures,
        cardPayments,
      },
    }
  }
}

/** Whether the read models hold what there was when this process first asked: half-made ones would show a part of it. */
const wholeOf = ({ end }: Pick<Infrastructure['eventStore'], 'end'>, { havePassed }: Projectors) => {
  let wanted: Position | null = null
  return async (): Promise<boolean> => {
    wanted ??= (await end()).position
    return havePassed(wanted)
  }
}
