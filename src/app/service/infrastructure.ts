import type { Pool } from 'pg'
import { schoolOf } from '#platform/database'
import type { EventStore } from '#platform/event-store/event-store'
import { familyKeysIn } from '#platform/event-store/sealed-events'
import { StartError } from '#platform/failures'
import type { Log } from '#platform/log'
import { maintenanceOf } from '#platform/maintenance'
import { contextsOf, type Module } from '#platform/module'
import type { Lock } from '#platform/ports'
import { viewsCheckpoint } from '#platform/projections/checkpoint'
import { followersOutage } from '#platform/projections/follow-events'
import { startEmbeddedPostgres } from '../../adapters/embedded-postgres/embedded-postgres'
import { patientRetryPolicy } from '../../adapters/event-store/esdb/connection'
import { openEventStore } from '../../adapters/event-store/esdb/event-store'
import { isEsdbPosition } from '../../adapters/event-store/esdb/read'
import { postgresEventStore } from '../../adapters/event-store/postgres/event-store'
import { isPostgresPosition } from '../../adapters/event-store/postgres/read'
import { openMailer } from '../../adapters/mail'
import { openBudgetPool, openDatabase, migrateDatabase } from '../../adapters/postgres/database'
import { postgresLocks } from '../../adapters/postgres/locks'
import { postgresNotifications } from '../../adapters/postgres/notifications'
import { openJobQueue } from '../../adapters/queue/bullmq'
import { openRedis } from '../../adapters/queue/servers'
import { openSms } from '../../adapters/sms'
import type { Config } from '../config'
import { joinSchool, refuseMissingDatabase, refuseWrongSchool, type Opening } from './school-id'

type OpeningNeeds = {
  log: Log
  opening?: Opening
  onWaiting?: (sentence: string) => void
  /** Called when an event store that was away turns out to be another school's. */
  onRefused?: (error: StartError) => void
}

/** Everything behind a variable of the configuration, opened: embedded where nothing is set. */
export type Infrastructure = Awaited<ReturnType<typeof openInfrastructure>>

/** Opens database (migrated), event store, queue and mail by configuration; a failure closes what was opened. Throws StartError. */
export const openInfrastructure = async (
  config: Config,
  { log, opening = 'service', onWaiting, onRefused }: OpeningNeeds,
) => {
  const opened = closing()
  try {
    await refuseMissingDatabase(config, opening)
    const url =
      config.DATABASE_URL ?? (await embeddedUrl(config, { log, beside: opening !== 'service' }, opened.add))
    const database = await openDatabase(url, log, { watched: opening === 'service' })
    opened.add(database.close)
    await refuseWrongSchool(database.pool, config, opening)
    await migrateDatabase(database)
    await refuseOtherStore(database.pool, config)
    const notifications = postgresNotifications({ pool: database.pool, log })
    opened.add(notifications.close)
    const locks = postgresLocks({ pool: database.pool })
    opened.add(locks.close)
    const maintenance = maintenanceOf({ database, locks, log }, onWaiting)
    const eventStore = config.EVENTSTORE_URL
      ? await openSchoolEvents(database.pool, config.EVENTSTORE_URL, { config, log, opening, onRefused })
      : postgresEventStore({ ...database, notifications })
    opened.add(eventStore.close)
    const familyKeys = familyKeysIn(database.pool)
    if (opening !== 'restore' && !config.EVENTSTORE_URL) await joinSchool(database.pool, eventStore, config)
    const queue = await openJobQueue({ databaseUrl: url, redisUrl: config.REDIS_URL, log })
    opened.add(queue.close)
    const redis = config.REDIS_URL ? await openRedis(config.REDIS_URL, log) : null
    opened.add(async () => redis?.disconnect())
    const budgets = { redis, pool: openBudgetPool(url, log) }
    opened.add(() => budgets.pool.end())
    const mailer = openMailer({
      smtpUrl: config.SMTP_URL,
      mailFrom: config.mailFrom,
      dataDir: config.DATA_DIR,
    })
    opened.add(async () => mailer.close())
    const sms = openSms({
      gateway: config.smsGateway,
      production: config.production,
      dataDir: config.DATA_DIR,
    })
    const stores = { database, eventStore, familyKeys, queue, redis, budgets, mailer, sms }
    const onOutage = followersOutage(log)
    return { ...stores, notifications, locks, maintenance, onOutage, close: opened.close }
  } catch (error) {
    await opened.close()
    throw error
  }
}

/** Opens a remote event store once it is this school's. A school with an id starts while the store is away; orders are then refused. */
const openSchoolEvents = async (
  pool: Pool,
  url: string,
  needs: Required<Pick<OpeningNeeds, 'log' | 'opening'>> &
    Pick<OpeningNeeds, 'onRefused'> & { config: Config },
) => {
  const { config, log, opening, onRefused } = needs
  if (opening === 'restore') return openEventStore(url, log)
  let isOpen = false
  const admit = (store: EventStore) =>
    joinSchool(pool, store, config).catch((error: unknown) => {
      if (isOpen && error instanceof StartError) onRefused?.(error)
      throw error
    })
  if (opening === 'school') return openEventStore(url, log, { admit })
  const mayBeAway = (await schoolOf(pool)) !== null
  const eventStore = await openEventStore(url, log, { admit, mayBeAway, retryPolicy: patientRetryPolicy })
  isOpen = true
  return eventStore
}

const embeddedUrl = async (
  { DATA_DIR }: Config,
  options: { log: Log; beside: boolean },
  add: (close: () => Promise<void>) => void,
) => {
  const postgres = await startEmbeddedPostgres({ dataDir: DATA_DIR, ...options })
  add(postgres.stop)
  return postgres.url
}

/** Refuses a store other than the one in the checkpoints: events appended to the wrong one would be lost. */
const refuseOtherStore = async (pool: Pool, { EVENTSTORE_URL }: Pick<Config, 'EVENTSTORE_URL'>) => {
  const { rows } = await pool.query<{ position: string }>('select position from platform.checkpoints')
  const positions = rows.map(({ position }) => position)
  if (EVENTSTORE_URL && positions.some(isPostgresPosition))
    throw new StartError(
      "This school's events are in its database, not at EVENTSTORE_URL: back it up with that variable unset, and restore it into a new database with it set.",
    )
  if (!EVENTSTORE_URL && positions.some(isEsdbPosition))
    throw new StartError("This school's events are in EventStoreDB: set EVENTSTORE_URL to where that is.")
}

export const closing = () => {
  const steps: (() => Promise<void>)[] = []
  return {
    add: (step: () => Promise<void>): void => {
      steps.push(step)
    },
    close: async (): Promise<void> => {
      const failures: unknown[] = []
      for (let step = steps.pop(); step; step = steps.pop())
        await step().catch((error: unknown) => failures.push(error))
      if (failures.length > 0) throw failures[0]
    },
  }
}

export const withExclusiveLock = async <Result>(
  { locks }: Pick<Infrastructure, 'locks'>,
  modules: readonly Module[],
  work: () => Promise<Result>,
): Promise<Result> => {
  const held: Lock[] = []
  try {
    for (const { name } of contextsOf(modules)) {
      const lock = await locks.tryAcquire(viewsCheckpoint(name))
      if (!lock)
        throw new StartError('The service is running on this database: stop it, and give the command again.')
      held.push(lock)
    }
    return await work()
  } finally {
    for (const lock of held) await lock.end()
  }
}
