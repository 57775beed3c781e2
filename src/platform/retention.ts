import type { Pool } from 'pg'
import type { Log } from './log'

export const dayMs = 24 * 60 * 60 * 1000

/** Rows that are removed once nobody needs them any more. */
export type Retention = {
  /** Which rows, e.g. `identity.sessions`: a label of metrics and a line of docs/operations.md. */
  name: string
  /** How long they stay, in the words of docs/operations.md. */
  kept: string
  /** Removes at most so many whose time is over; answers how many. Removing twice removes nothing more. */
  remove: (atMost: number) => Promise<number>
}

/** One statement removes so many rows at most, so that it holds its locks for milliseconds. */
export const batchRows = 1_000

/** One run removes so many batches of each kind at most; what is left over waits for the next run. */
export const maxBatches = 50

type Needs = { log: Log; onRemoved: (name: string, rows: number) => void }

/** Removes what is old, kind after kind in bounded batches. One that fails does not keep the others; it throws at the end. */
export const removeOld = async (retentions: readonly Retention[], { log, onRemoved }: Needs) => {
  const faults: unknown[] = []
  for (const { name, remove } of retentions) {
    try {
      const rows = await removeBatches(remove, (removed) => onRemoved(name, removed))
      if (rows > 0) log.info({ retention: name, rows }, 'old rows removed')
    } catch (fault) {
      faults.push(fault)
    }
  }
  if (faults.length > 0) throw new AggregateError(faults, 'some old rows could not be removed')
}

const removeBatches = async (remove: Retention['remove'], onRemoved: (rows: number) => void) => {
  let rows = 0
  for (let batch = 0; batch < maxBatches; batch += 1) {
    const removed = await remove(batchRows)
    onRemoved(removed)
    rows += removed
    if (removed < batchRows) break
  }
  return rows
}

/**
 * Deletes at most so many rows of `table` for which `condition` holds; its `$1` is `until()`. Rows that somebody has
 * locked at this moment are left for the next time.
 */
export const deleteUntil =
  (pool: Pool, table: string, condition: string, until: () => Date | number) =>
  async (atMost: number): Promise<number> => {
    const { rowCount } = await pool.query(
      `delete from ${table} where ctid = any(array(
         select ctid from ${table} where ${condition} limit $2 for update skip locked))`,
      [until(), atMost],
    )
    return rowCount ?? 0
  }
