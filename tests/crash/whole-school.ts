import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from 'pg'
import { auditSchool } from '../../src/app/commands/audit-school'
import { compose } from '../../src/app/compose'
import { readConfig } from '../../src/app/config'
import { openInfrastructure, type Infrastructure } from '../../src/app/service/infrastructure'
import { readLog } from '#platform/event-store/event-store'
import { contextsOf } from '#platform/module'
import { rebuildViews } from '#platform/projections/rebuild-views'
import { contentsOf, type Contents } from '../support/view-contents'
import { silentLog } from '../support/start-postgres'
import { brokenAfterSettling, brokenNow, unsettled, type Broken, type Story } from './kept-promises'
import { brokenMessages, messagesWritten } from './messages-told'
import type { Acknowledged } from './acknowledged'
import { variablesOf, type Place } from './program'

/** Opens the school's database and event store beside the running program, as `npm run audit` does. */
export const openBesides = async <Found>(
  place: Place,
  clock: () => Date,
  look: (infrastructure: Infrastructure, config: ReturnType<typeof readConfig>) => Promise<Found>,
): Promise<Found> => {
  const config = readConfig(variablesOf(place, clock()))
  const infrastructure = await openInfrastructure(config, { log: silentLog, opening: 'school' })
  try {
    return await look(infrastructure, config)
  } finally {
    await infrastructure.close()
  }
}

/** After a restart: what was acknowledged is there, once. */
export const lookQuickly = (place: Place, clock: () => Date, acknowledged: Acknowledged): Promise<Broken> =>
  openBesides(place, clock, async ({ database, eventStore }) => {
    await caughtUp(database.pool, eventStore)
    return brokenNow(database.pool, await storyOf(eventStore), acknowledged)
  })

/** Once nobody works any more and the clock has gone past every time limit: everything else as well. */
export const lookThoroughly = (
  place: Place,
  clock: () => Date,
  acknowledged: Acknowledged,
): Promise<{ broken: Broken; events: number }> =>
  openBesides(place, clock, async (infrastructure, config) => {
    const { database, eventStore } = infrastructure
    const { pool } = database
    await within(settlePatienceMs, async () => (await unsettled(pool)).length === 0)
    await caughtUp(pool, eventStore)
    const messagesBroken = async () => brokenMessages(await storyOf(eventStore), await messagesWritten(pool))
    await within(messagesPatienceMs, async () => (await messagesBroken()).length === 0)
    const options = { log: silentLog, now: clock, against: null, onProgress: () => undefined }
    const audit = await auditSchool(infrastructure, config, options)
    const story = await storyOf(eventStore)
    const broken = [
      ...(await brokenNow(pool, story, acknowledged)),
      ...(await brokenAfterSettling(pool, story, acknowledged, clock())),
      ...(await messagesBroken()),
      ...(audit.exitCode === 0 ? [] : audit.lines),
      ...(await differsFromRebuild(infrastructure, config, clock)),
    ]
    return { broken, events: story.length }
  })

const settlePatienceMs = 90_000
const messagesPatienceMs = 60_000
const catchUpPatienceMs = 20_000

/** Looks until it is so; false when it is not in time. */
export const within = async (ms: number, so: () => Promise<boolean>): Promise<boolean> => {
  for (const giveUpAt = Date.now() + ms; ;) {
    if (await so()) return true
    if (Date.now() > giveUpAt) return false
    await pause(50)
  }
}

const storyOf = async (eventStore: Infrastructure['eventStore']): Promise<Story> => {
  const story: Story[number][] = []
  await readLog(eventStore, await eventStore.end(), 1_000, async (events) => {
    story.push(...events.map(({ stream, type, data }) => ({ stream, type, data })))
  })
  return story
}

const caughtUp = async (pool: Pool, eventStore: Infrastructure['eventStore']): Promise<void> => {
  const { position } = await eventStore.end()
  const passed = await within(catchUpPatienceMs, async () => {
    const { rows } = await pool.query<{ position: string }>(
      "select position from platform.checkpoints where starts_with(name, 'views ')",
    )
    return rows.every((checkpoint) => checkpoint.position >= position)
  })
  if (!passed) throw new Error('The read models do not catch up')
}

const differsFromRebuild = async (
  infrastructure: Infrastructure,
  config: ReturnType<typeof readConfig>,
  now: () => Date,
): Promise<Broken> => {
  const { modules } = compose({
    ...infrastructure,
    config,
    now,
    log: silentLog,
    demo: false,
    sessionKeys: [],
    pushSecret: '',
    ownUrl: () => config.publicUrl,
    rateLimits: 'off',
    waitForViews: async () => undefined,
  })
  const views = modules.flatMap((module) => module.views)
  const { database, eventStore } = infrastructure
  for (let trial = 1; ; trial += 1) {
    const end = (await eventStore.end()).position
    await caughtUp(database.pool, eventStore)
    const live = await contentsOf(database.pool, views)
    await rebuildViews({ ...infrastructure, contexts: contextsOf(modules), onProgress: () => undefined })
    const rebuilt = await contentsOf(database.pool, views)
    // The service goes on meanwhile: only a comparison during which nothing happened says anything.
    if ((await eventStore.end()).position === end) return differences(live, rebuilt)
    if (trial === maxTrials) throw new Error('The service is never quiet enough to compare its read models')
  }
}

const maxTrials = 8

const differences = (live: Contents, rebuilt: Contents): Broken =>
  Object.keys(live).flatMap((view) =>
    JSON.stringify(live[view]) === JSON.stringify(rebuilt[view])
      ? []
      : [`the read model ${view} is not what a rebuild makes of the events`],
  )
