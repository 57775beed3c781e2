import { rm } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '#platform/log'
import { dropShadows } from '#platform/projections/shadow-tables'
import type { Database, Reader } from './database'
import type { Lock, Locks } from './ports'

type MaintenanceWork = 'audit' | 'backup' | 'rebuild' | 'restore'

/** `since` is by the database's clock. */
export type Running = { what: MaintenanceWork; since: Date }

export type Maintenance = {
  /** Waits for its turn and reports that once. `leftover` is a file to remove if the process is killed. */
  run: <Result>(
    what: MaintenanceWork,
    work: () => Promise<Result>,
    options?: { leftover?: string },
  ) => Promise<Result>
  running: () => Promise<Running | null>
  tidy: () => Promise<void>
}

export const maintenanceLock = 'maintenance'
const lookEveryMs = 250

const inWords: Record<MaintenanceWork, string> = {
  audit: 'an audit',
  backup: 'a backup',
  rebuild: 'a rebuild',
  restore: 'a restore',
}

export const maintenanceOf = (
  { database: { pool }, locks, log }: { database: Pick<Database, 'pool'>; locks: Locks; log: Log },
  /** Called once while waiting, e.g. "a rebuild is running, waiting". */
  onWaiting: (sentence: string) => void = (sentence) => log.info({}, sentence),
): Maintenance => {
  const running = async () => ((await locks.isHeld(maintenanceLock)) ? lastBegun(pool) : null)

  const acquired = async (): Promise<Lock> => {
    for (let told = false; ;) {
      const lock = await locks.tryAcquire(maintenanceLock)
      if (lock) return lock
      const other = await running()
      if (other && !told) onWaiting(`${inWords[other.what]} is running, waiting`)
      told ||= other !== null
      await pause(lookEveryMs)
    }
  }

  const clear = async () => {
    const { rows } = await pool.query<{ leftover: string | null }>(
      'delete from platform.maintenance where what <> all($1) returning leftover',
      [marks],
    )
    for (const { leftover } of rows) if (leftover !== null) await rm(leftover, { force: true })
    if (rows.length > 0) await dropShadows(pool)
  }

  const run: Maintenance['run'] = async (what, work, { leftover } = {}) => {
    const lock = await acquired()
    try {
      await clear()
      await begin(pool, what, leftover)
      return await work().finally(() => end(pool, what))
    } finally {
      await lock.end()
    }
  }

  const tidy = async () => {
    const lock = await locks.tryAcquire(maintenanceLock)
    if (lock) await clear().finally(lock.end)
  }

  return { run, running, tidy }
}

const lastBegun = async (pool: Reader): Promise<Running | null> => {
  const { rows } = await pool.query<Running>(
    'select what, began_at as since from platform.maintenance where what <> all($1) order by began_at desc limit 1',
    [marks],
  )
  return rows[0] ?? null
}

const begin = (pool: Reader, what: string, leftover: string | null = null) =>
  pool.query(
    `insert into platform.maintenance (what, leftover) values ($1, $2)
     on conflict (what) do update set began_at = now(), leftover = excluded.leftover`,
    [what, leftover],
  )

const end = (pool: Reader, what: string) =>
  pool.query('delete from platform.maintenance where what = $1', [what])

const halfRestored = 'half restored'
const backedUp = 'backed up'
/** Rows that persist while nobody works. */
const marks = [halfRestored, backedUp]

export const markBackedUp = async (pool: Reader): Promise<void> => {
  await begin(pool, backedUp)
}

/** By the database's clock; null for none. */
export const lastBackup = async (pool: Reader): Promise<Date | null> => {
  const { rows } = await pool.query<{ at: Date }>(
    'select began_at as at from platform.maintenance where what = $1',
    [backedUp],
  )
  return rows[0]?.at ?? null
}

/** Set before the first restored row. */
export const markHalfRestored = async (pool: Reader): Promise<void> => {
  await begin(pool, halfRestored)
}

export const isHalfRestored = async (pool: Reader): Promise<boolean> =>
  (await pool.query('select 1 from platform.maintenance where what = $1', [halfRestored])).rowCount !== 0

export const unmarkHalfRestored = async (pool: Reader): Promise<void> => {
  await end(pool, halfRestored)
}
