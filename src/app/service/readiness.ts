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
    const [jobs, missing] = await Promise.all([
      soon(queue.failures(), []),
      soon(projectors.missingTables(), []),
    ])
    const lost = missing.map(({ context, table }) => ({
      what: 'read models' as const,
      name: context,
      reason: `the table ${table} is missing`,
    }))
    return [
      ...lost,
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
const maxMs = 2_000

/** What is answered within the time, or `otherwise`. */
const soon = <Answer>(asked: Promise<Answer>, otherwise: Answer): Promise<Answer> =>
  Promise.race([asked.catch(() => otherwise), pause(maxMs, otherwise, { ref: false })])

/**
 * Whether database, event store, queue and read models are well enough to serve, the latter being whole. What fails by itself while the rest
 * goes on is named under `failing` and leaves the service ready: taking it away would help nobody. Read models that all stand still do not.
 */
export const readinessOf = (
  { database, eventStore, queue, maintenance }: Watched,
  projectors: Projectors,
  cardPayments: Cards['kind'],
  failing: () => Promise<Failing[]>,
) => {
  const whole = wholeOf(eventStore, projectors)
  return async (): Promise<Readiness> => {
    const answers = (asked: Promise<unknown>) =>
      soon(
        asked.then((answer) => answer !== false),
        false,
      )
    const [databaseAnswers, eventStoreAnswers, queueAnswers, areWhole, running, failures] = await Promise.all(
      [
        answers(database.pool.query('select 1')),
        answers(eventStore.ping()),
        answers(queue.ping()),
        soon(whole(), false),
        soon(maintenance.running(), null),
        // Who cannot tell is away, which the others say.
        soon(failing(), []),
        soon(projectors.look(), undefined),
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

/**
 * Whether the read models hold what there was when this process first asked: half-made ones would show a part of it, and
 * those of which a table is missing nothing.
 */
const wholeOf = (
  { end }: Pick<Infrastructure['eventStore'], 'end'>,
  { havePassed, missingTables }: Projectors,
) => {
  let wanted: Position | null = null
  let areThere = false
  return async (): Promise<boolean> => {
    areThere ||= (await missingTables()).length === 0
    if (!areThere) return false
    wanted ??= (await end()).position
    return havePassed(wanted)
  }
}
