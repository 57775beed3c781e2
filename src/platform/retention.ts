import type { Pool } from 'pg'
import type { Log } from './log'
import { each } from './pacing'

export const dayMs = 24 * 60 * 60 * 1000

export type Retention = {
  /** For example `identity.sessions`: a metric label and a line of docs/operations.md. */
  name: string
  /** In the words of docs/operations.md. */
  kept: string
  /** What it is to the people whom it is about, for the privacy notice; absent where it is about nobody. */
  about?: string
  /** At most `atMost` expired rows; answers how many. Repeatable. */
  remove: (atMost: number) => Promise<number>
}

/** Per statement, so that locks last milliseconds. */
export const batchRows = 1_000

/** Batches per kind and run; the rest waits. */
export const maxBatches = 50

type Needs = { log: Log; onRemoved: (name: string, rows: number) => void }

/** Batches by kind. A failing kind does not stop others; throws at the end. */
export const removeOld = (retentions: readonly Retention[], { log, onRemoved }: Needs): Promise<void> => {
  const removeKind = async ({ name, remove }: Retention) => {
    const rows = await removeBatches(remove, (removed) => onRemoved(name, removed))
    if (rows > 0) log.info({ retention: name, rows }, 'old rows removed')
  }
  return each(retentions, removeKind, 1, 'some old rows could not be removed')
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

/** Deletes at most so many rows of `table` matching `condition`, whose `$1` is `until()`. Skips locked rows. */
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
