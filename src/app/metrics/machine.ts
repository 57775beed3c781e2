import { statfs } from 'node:fs/promises'
import { lastBackup } from '#platform/maintenance'
import type { Pool } from 'pg'
import type { Config } from '../config'
import type { Infrastructure } from '../service/infrastructure'
import type { Failing } from '../service/readiness'
import type { Database } from '#platform/database'
import type { Readiness } from '#platform/http/http-server'
import type { Measure } from '#platform/module'
import type { Following } from '#platform/projections/follow-events'

/** Readiness and the number of failing parts, as `/readyz` tells. */
export const readinessMeasures = (
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

export const queueMeasures = ({ queue }: Pick<Infrastructure, 'queue'>): Measure[] => [
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

export const followingMeasures = (followings: readonly Pick<Following, 'status'>[]): Measure[] => {
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

export const poolMeasures = ({ pool, knex }: Pick<Database, 'pool' | 'knex'>): Measure[] => {
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

export const sizeMeasures = ({ pool }: Pick<Database, 'pool'>): Measure[] => [
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

export const diskMeasures = ({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): Measure[] => [
  {
    name: 'tuckshop_data_free_bytes',
    help: 'Free bytes on the disk of DATA_DIR',
    value: async () => {
      const { bavail, bsize } = await statfs(DATA_DIR)
      return bavail * bsize
    },
  },
]
