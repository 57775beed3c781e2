import { statfs } from 'node:fs/promises'
import type { Pool } from 'pg'
import { Counter, Gauge, type Registry } from 'prom-client'
import type { Database } from '#platform/database'
import type { Readiness } from '#platform/http/http-server'
import type { Log } from '#platform/log'
import { lastBackup } from '#platform/maintenance'
import type { Module, Measure } from '#platform/module'
import { withTimeout } from '#platform/pacing'
import type { Following } from '#platform/projections/follow-events'
import type { Config } from '../config'
import type { Infrastructure } from '../service/infrastructure'
import type { Failing } from '../service/readiness'

type Watched = {
  config: Config
  log: Log
  modules: readonly Module[]
  followings: readonly Following[]
  readiness: () => Promise<Readiness>
  failing: () => Promise<readonly Failing[]>
}

export const watch = (
  registry: Registry,
  { database, queue }: Pick<Infrastructure, 'database' | 'queue'>,
  { config, log, modules, followings, readiness, failing }: Watched,
): void => {
  addMeasures(registry, log, [
    ...followingMeasures(followings),
    ...queueMeasures({ queue }),
    ...poolMeasures(database),
    ...diskMeasures(config),
    ...readinessMeasures(readiness, failing),
  ])
  const counted = [...modules.flatMap((module) => module.measures ?? []), ...sizeMeasures(database)]
  addMeasures(registry, log, counted, inSequence())
}

const timeoutMs = 3_000

type Schedule = (query: () => Promise<void>, wanted: () => boolean) => Promise<void>

const atOnce: Schedule = (query) => query()

/** In sequence, so that a scrape takes one connection of the pool. */
export const inSequence = (): Schedule => {
  let last: Promise<void> = Promise.resolve()
  return (query, wanted) => {
    const mine = last.then(() => (wanted() ? query() : undefined))
    last = mine.catch(() => undefined)
    return mine
  }
}

/** A measure that fails is left out and counted; the others show. */
export const addMeasures = (
  registry: Registry,
  log: Log,
  measures: readonly Measure[],
  schedule: Schedule = atOnce,
): void => {
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
        let wanted = true
        const taken = schedule(
          () => take(measure, this),
          () => wanted,
        )
        await withTimeout(timeoutMs, taken, () => new Error(`No answer within ${timeoutMs} ms`)).catch(
          (err: unknown) => {
            wanted = false
            if (label === undefined) this.remove()
            failures.inc({ measure: name })
            log.warn({ err, measure: name }, 'a measure could not be taken')
          },
        )
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

const take = async (measure: Measure, gauge: Gauge) => {
  if (measure.label === undefined) gauge.set(await measure.value())
  else
    for (const [value, number] of Object.entries(await measure.values()))
      gauge.set({ [measure.label]: value }, number)
}

/** Readiness and the number of failing parts, as `/readyz` tells. */
const readinessMeasures = (
  readiness: () => Promise<Readiness>,
  failing: () => Promise<readonly Failing[]>,
): Measure[] => [
  {
    name: 'tuckshop_ready',
    help: '1 while /readyz answers 200',
    value: async () => ((await readiness()).ready ? 1 : 0),
  },
  {
    name: 'tuckshop_failing',
    help: 'Read models, reactors, journals, sweeps and kinds of jobs that fail while the rest goes on',
    value: async () => (await failing()).length,
  },
]

const queueMeasures = ({ queue }: Pick<Infrastructure, 'queue'>): Measure[] => [
  { name: 'tuckshop_jobs', help: 'Jobs in the queue, by state', label: 'state', values: queue.depth },
  {
    name: 'tuckshop_jobs_oldest_waiting_seconds',
    help: 'Age of the job that has waited longest, 0 without one',
    value: async () => {
      const oldest = await queue.oldestWaiting()
      return oldest === null ? 0 : Math.max(0, Date.now() - oldest) / 1000
    },
  },
]

const followingMeasures = (followings: readonly Pick<Following, 'status'>[]): Measure[] => {
  const each = (number: (status: ReturnType<Following['status']>) => number) => async () =>
    Object.fromEntries(
      followings.map(({ status }) => status()).map((status) => [status.name, number(status)]),
    )
  return [
    {
      name: 'tuckshop_projection_lag_seconds',
      help: 'Age of the oldest event that read models do not show yet, or that a reactor has in hand; 0 without one',
      label: 'projection',
      values: each(({ lagMs }) => lagMs / 1000),
    },
    {
      name: 'tuckshop_projection_failing',
      help: '1 while the follower does not get on',
      label: 'projection',
      values: each(({ failing }) => (failing === null ? 0 : 1)),
    },
    {
      name: 'tuckshop_projection_active',
      help: '1 in the process that follows, 0 in those that stand by',
      label: 'projection',
      values: each(({ active }) => (active ? 1 : 0)),
    },
  ]
}

type TarnPool = { numUsed: () => number; numFree: () => number; numPendingAcquires: () => number }

const poolMeasures = ({ pool, knex }: Pick<Database, 'pool' | 'knex'>): Measure[] => {
  const tables = knex.client.pool as TarnPool
  return [
    {
      name: 'tuckshop_database_connections_used',
      help: 'Connections in use, by pool, of 10 each',
      label: 'pool',
      values: async () => ({ events: pool.totalCount - pool.idleCount, tables: tables.numUsed() }),
    },
    {
      name: 'tuckshop_database_waiting',
      help: 'Callers that wait for a connection, by pool',
      label: 'pool',
      values: async () => ({ events: pool.waitingCount, tables: tables.numPendingAcquires() }),
    },
  ]
}

const sizeMeasures = ({ pool }: Pick<Database, 'pool'>): Measure[] => [
  { name: 'tuckshop_database_bytes', help: 'Size of the database on disk', value: () => bytesOf(pool) },
  {
    name: 'tuckshop_backup_last_success_seconds',
    help: 'When the last backup was finished, in seconds since 1970; 0 when there was none',
    value: async () => ((await lastBackup(pool))?.getTime() ?? 0) / 1000,
  },
]

const bytesOf = async (pool: Pool): Promise<number> => {
  const { rows } = await pool.query<{ bytes: number }>(
    'select pg_database_size(current_database())::float8 as bytes',
  )
  return rows[0]?.bytes ?? 0
}

const diskMeasures = ({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): Measure[] => [
  {
    name: 'tuckshop_data_free_bytes',
    help: 'Free bytes on the disk of DATA_DIR',
    value: async () => {
      const { bavail, bsize } = await statfs(DATA_DIR)
      return bavail * bsize
    },
  },
]
