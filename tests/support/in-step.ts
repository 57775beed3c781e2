import { setTimeout as pause } from 'node:timers/promises'
import { Registry } from 'prom-client'
import { beginning, type Position, type RecordedEvent } from '#platform/event-store/event-store'
import { familyKeysIn, openedEvents } from '#platform/event-store/sealed-events'
import type { Log } from '#platform/log'
import { maintenanceOf } from '#platform/maintenance'
import { contextsOf, type Module } from '#platform/module'
import type { Ports } from '#platform/ports'
import { viewsCheckpoint } from '#platform/projections/checkpoint'
import { followersOutage } from '#platform/projections/follow-events'
import { batchProjector, viewsWatch, viewTables, type ViewTables } from '#platform/projections/projector'
import { requestKeys } from '#platform/request-keys'
import { postgresEventStore } from '../../src/adapters/event-store/postgres/event-store'
import { openMailer } from '../../src/adapters/mail'
import { openDatabase } from '../../src/adapters/postgres/database'
import { postgresLocks } from '../../src/adapters/postgres/locks'
import { openSms } from '../../src/adapters/sms'
import { compose } from '../../src/app/compose'
import type { Config, Environment } from '../../src/app/config'
import { closing, type Infrastructure } from '../../src/app/service/infrastructure'
import { joinSchool } from '../../src/app/service/school-id'
import { pushSecret, sessionKeys } from '../../src/app/service/secrets'
import type { Tuckshop } from '../../src/app/service/tuckshop'
import { routesOf, serve } from '../../src/app/service/web'
import { queueInMemory } from './queue-in-memory'
import { quietNotices, standIn } from './stand-ins'

/** What a school runs on, for one process that is alone: nobody to listen to, and jobs in memory. */
export const inStepInfrastructure = async (config: Config, log: Log): Promise<Infrastructure> => {
  const opened = closing()
  const database = await openDatabase(config.DATABASE_URL!, log)
  opened.add(database.close)
  const locks = postgresLocks({ pool: database.pool })
  opened.add(locks.close)
  const notifications: Infrastructure['notifications'] = standIn(quietNotices().notifications)
  const eventStore = postgresEventStore({ ...database, notifications })
  opened.add(eventStore.close)
  await joinSchool(database.pool, eventStore, config)
  const { DATA_DIR: dataDir, SMTP_URL: smtpUrl, mailFrom, smsGateway: gateway, production } = config
  const mailer = openMailer({ smtpUrl, mailFrom, dataDir })
  opened.add(async () => mailer.close())
  return {
    database,
    notifications,
    locks,
    eventStore,
    mailer,
    familyKeys: familyKeysIn(database.pool),
    maintenance: maintenanceOf({ database, locks, log }),
    queue: queueInMemory(log),
    redis: null,
    budgets: { redis: null, pool: database.pool },
    sms: openSms({ gateway, production, dataDir }),
    onOutage: followersOutage(log),
    close: opened.close,
  }
}

/**
 * The service with one subscription in place of some forty: it hands each event to the views, reactors and journals
 * of this one process. For stories about what is answered, not about who follows the events. With `ROLE: 'web'` it
 * has no worker: views alone.
 */
export const startInStep = async (
  infrastructure: Infrastructure,
  config: Config,
  environment: Environment,
): Promise<Tuckshop> => {
  const { database, familyKeys, eventStore, queue } = infrastructure
  const { log, now, passwordCost, viewsWaitMs: waitMs } = environment
  const started = closing()
  const keys = await sessionKeys(config)
  let ownUrl = config.publicUrl
  const viewsInclude: Ports['viewsInclude'] = (position) => views.viewsInclude(position)
  const school = compose({
    ...infrastructure,
    config,
    log,
    now,
    passwordCost: passwordCost!,
    demo: false,
    rateLimits: 'off',
    sessionKeys: keys,
    pushSecret: await pushSecret(config),
    ownUrl: () => ownUrl,
    failing: async () => [],
    viewsInclude,
  })
  started.add(school.cards.close)
  const { modules } = school
  const contexts = contextsOf(modules).map(({ name }) => name)
  const views = viewsWatch({ ...infrastructure, log, contexts, ...(waitMs && { waitMs }) })
  started.add(async () => views.close())
  const works = config.ROLE === 'all'
  const followers = followersOf(infrastructure, modules, { log, works, onPassed: views.onPassed })
  started.add(followers.close)
  await keepCheckpoints(infrastructure, followers.names)
  const feed = eventStore.subscribe({ from: null, batchSize: 500 }, async (events) => {
    followers.take(events, await openedEvents(familyKeys, events))
  })
  started.add(feed.close)
  if (works) started.add(await queue.start(modules.flatMap(({ jobs }) => jobs)))
  await school.ensureSuperadmin()
  const routes = routesOf(school, config, environment.webRoot)
  const listening = await serve({
    config,
    school,
    routes,
    environment,
    sessionKeys: keys,
    rateLimits: 'off',
    requestKeys: requestKeys(database.knex, now),
    viewsInclude,
    metrics: new Registry(),
    readiness: async () => ({ ready: true, details: {} }),
  })
  started.add(listening.close)
  ownUrl = listening.url
  return {
    url: listening.url,
    superadminPasswordFile: null,
    modules,
    routes: routes.flat(),
    stop: started.close,
  }
}

const keepCheckpoints = ({ database }: Infrastructure, names: readonly string[]) =>
  database.pool.query(
    'insert into platform.checkpoints select unnest($1::text[]), $2 on conflict do nothing',
    [names, beginning],
  )

type Handle = (events: RecordedEvent[], from: Position) => Promise<Position>
type Needs = { log: Log; works: boolean; onPassed: (context: string, position: Position | null) => void }

const followersOf = ({ database }: Infrastructure, modules: Module[], { log, works, onPassed }: Needs) => {
  const working = works ? modules : []
  const aborting = new AbortController()
  const { signal } = aborting
  const tables = viewTables(database.pool)

  /** Hands over in order what comes, together what came meanwhile, and again what failed. */
  const follower = (
    name: string,
    handle: Handle,
    passed: (position: Position | null) => void = () => undefined,
  ) => {
    let waiting: RecordedEvent[] = []
    let position = beginning
    let running: Promise<void> | null = null
    const run = async () => {
      while (waiting.length > 0 && !signal.aborted) {
        const events = waiting
        try {
          waiting = []
          position = await handle(events, position)
          passed(position)
        } catch (err) {
          waiting.unshift(...events)
          passed(null)
          log.warn({ err, name }, 'following the events failed, to be tried again')
          await pause(againMs, undefined, { signal }).catch(() => undefined)
        }
      }
      running = null
    }
    const take = (events: readonly RecordedEvent[]) => {
      waiting.push(...events)
      if (events.length > 0) running ??= run()
    }
    return { name, take, ended: async () => running }
  }

  const views = contextsOf(modules).map((context) =>
    follower(viewsCheckpoint(context.name), batchProjector(tables, context), (position) =>
      onPassed(context.name, position),
    ),
  )
  const journals = working
    .flatMap((module) => module.journals ?? [])
    .map(({ name, write }) => follower(name, write))
  const reactors = working
    .flatMap((module) => module.reactors)
    .map((reactor) => {
      const name = `follower ${reactor.name}`
      return { types: reactor.types, ...follower(name, handling(name, reactor, tables)) }
    })
  const all = [...views, ...journals, ...reactors]
  return {
    names: all.map(({ name }) => name),
    take: (stored: readonly RecordedEvent[], opened: readonly RecordedEvent[]) => {
      for (const view of views) view.take(opened)
      for (const journal of journals) journal.take(stored)
      for (const { types, take } of reactors) take(opened.filter(({ type }) => types.includes(type)))
    },
    close: async () => {
      aborting.abort()
      await Promise.all(all.map(({ ended }) => ended()))
    },
  }
}

const againMs = 100

const handling =
  (name: string, reactor: Module['reactors'][number], { write }: ViewTables): Handle =>
  async (events, from) => {
    if ('react' in reactor) for (const event of events) await reactor.react(event)
    else await reactor.reactToAll(events)
    const to = events.at(-1)!.position
    await write({ changes: [], move: { name, from, to } })
    return to
  }
