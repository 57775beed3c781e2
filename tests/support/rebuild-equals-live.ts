import type { Pool } from 'pg'
import type { Database } from '#platform/database'
import type { EventStore, Position, StoreEnd } from '#platform/event-store/event-store'
import { familyKeysIn } from '#platform/event-store/sealed-events'
import type { Lock, Locks } from '#platform/ports'
import { viewsCheckpoint } from '#platform/projections/checkpoint'
import type { ContextViews } from '#platform/projections/projector'
import { rebuildViews } from '#platform/projections/rebuild-views'
import type { RowView } from '#platform/projections/row-view'
import { eventually } from './eventually'

/** Rows of views by the views' tables. */
export type Contents = Record<string, Record<string, unknown>[]>

/** Every row of these views, by their tables. */
export const contentsOf = async (pool: Pool, views: readonly RowView[]): Promise<Contents> => {
  const found: Contents = {}
  for (const view of views) {
    const columns = Object.keys(view.columns).map((column) => `"${column}"`)
    const { rows } = await pool.query(
      `select row_to_json(r) as row from (select ${columns.join(', ')} from ${view.table} order by "${view.primaryKey}") r`,
    )
    found[view.table] = rows.map(({ row }) => row)
  }
  return found
}

/** The tables of these contexts but those of what a school does not use. */
export const tablesBut = (contexts: readonly ContextViews[], unused: RegExp): string[] =>
  contexts.flatMap(({ views }) => views.map(({ table }) => table)).filter((table) => !unused.test(table))

/**
 * Expects that the views of these contexts, rebuilt from all events, hold the very rows that the live ones held, and
 * that there are rows in each view that is told of. Waits first until the running projector has passed every event; what a sweep appends afterwards is
 * in neither.
 */
export const expectRebuildEqualsLive = async (school: {
  database: Pick<Database, 'pool'>
  eventStore: EventStore
  locks: Locks
  contexts: readonly ContextViews[]
  /** The tables that must not be empty; all of them when absent. */
  filled?: readonly string[]
}): Promise<void> => {
  const { pool } = school.database
  const views = school.contexts.flatMap((context) => context.views)
  const names = school.contexts.map(({ name }) => viewsCheckpoint(name))
  const havePassed = async (end: Position): Promise<boolean> => {
    const { rows } = await pool.query(
      'select from platform.checkpoints where name = any($1) and position = $2',
      [names, end],
    )
    return rows.length === names.length
  }
  const { live, end } = await eventually(async () => {
    const end = await school.eventStore.end()
    if (!(await havePassed(end.position))) return false
    const live = await contentsOf(pool, views)
    return (await havePassed(end.position)) && { live, end }
  })
  const filled = school.filled ?? views.map(({ table }) => table)
  const empty = filled.filter((table) => live[table]?.length === 0)
  expect(empty).toEqual([])
  const eventStore = endingAt(school.eventStore, end)
  const { locks, giveUp } = keptTurn(school.locks)
  try {
    const familyKeys = familyKeysIn(pool)
    await rebuildViews({ ...school, eventStore, familyKeys, locks, onProgress: () => undefined })
    expect(await contentsOf(pool, views)).toEqual(live)
  } finally {
    await giveUp()
  }
}

/** Locks that are kept when they end, so that the running projector waits, until they are given up. */
const keptTurn = (locks: Locks) => {
  const kept: Lock[] = []
  const takeOver = async (name: string): Promise<Lock> => {
    const lock = await locks.takeOver(name)
    kept.push(lock)
    return { ...lock, end: () => Promise.resolve() }
  }
  const giveUp = async () => {
    for (const lock of kept) await lock.end()
  }
  return { locks: { ...locks, takeOver }, giveUp }
}

/** The store without what was appended after this end. */
const endingAt = (store: EventStore, end: StoreEnd): EventStore => ({
  ...store,
  end: () => Promise.resolve(end),
  subscribe: (options, onBatch) =>
    store.subscribe(options, async (events) => {
      const until = events.filter(({ position }) => position <= end.position)
      if (until.length > 0) await onBatch(until)
    }),
})
