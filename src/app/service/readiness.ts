import { setTimeout as pause } from 'node:timers/promises'
import type { Position } from '#platform/event-store/event-store'
import type { Readiness } from '#platform/http/http-server'
import type { Projectors } from '#platform/projections/projector'
import type { Cards } from './card-provider'
import type { Infrastructure } from './infrastructure'

type Watched = Pick<Infrastructure, 'database' | 'eventStore' | 'queue' | 'maintenance'>

export type Failing = {
  what: 'read models' | 'reactor' | 'journal' | 'sweep' | 'job'
  name: string
  reason: string
}

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

// Answers within 3 s, also while a server behind hangs.
const maxMs = 2_000

/** The answer within `maxMs`, else `otherwise`. */
const soon = <Answer>(asked: Promise<Answer>, otherwise: Answer): Promise<Answer> =>
  Promise.race([asked.catch(() => otherwise), pause(maxMs, otherwise, { ref: false })])

// Locks no row, and a server that only reads refuses it: then the connections are opened anew.
export const mayWrite = 'select from platform.school where false for share'

/** Failing parts are listed under `failing` without affecting readiness, unless all read models stand still. */
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
        answers(database.pool.query(mayWrite)),
        answers(eventStore.ping()),
        answers(queue.ping()),
        soon(whole(), false),
        soon(maintenance.running(), null),
        // If it cannot tell, the other checks report it.
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
        /** A running backup, rebuild, restore or audit, and since when. */
        maintenance: running,
        failing: failures,
        cardPayments,
      },
    }
  }
}

/** True once the read models hold what existed at the first check: half-built ones would show a part. */
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
