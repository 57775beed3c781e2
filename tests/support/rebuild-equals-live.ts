import type { Database } from '#platform/database'
import type { EventStore, Position, StoreEnd } from '#platform/event-store/event-store'
import type { Lock, Locks } from '#platform/locks'
import type { RowView } from '#platform/projections/row-view'
import { rebuildViews } from '#platform/projections/rebuild-views'
import { eventually } from './eventually'
import { contentsOf } from './view-contents'

/**
 * Expects that views rebuilt from all events hold the very rows that the live ones held, and that there are rows in
 * each of them. Waits first until the running projector has passed every event; what a sweep appends afterwards is
 * in neither.
 */
export const expectRebuildEqualsLive = async (school: {
  database: Pick<Database, 'pool'>
  eventStore: EventStore
  locks: Locks
  views: readonly RowView[]
}): Promise<void> => {
  const { pool } = school.database
  const passed = async (): Promise<Position | undefined> => {
    const { rows } = await pool.query("select position from platform.checkpoints where name = 'views'")
    return rows[0]?.position
  }
  const { live, end } = await eventually(async () => {
    const end = await school.eventStore.end()
    if ((await passed()) !== end.position) return false
    const live = await contentsOf(pool, school.views)
    return (await passed()) === end.position && { live, end }
  })
  const empty = Object.keys(live).filter((view) => live[view]?.length === 0)
  expect(empty).toEqual([])
  const eventStore = endingAt(school.eventStore, end)
  const { locks, giveUp } = keptTurn(school.locks)
  try {
    await rebuildViews({ ...school, eventStore, locks, onProgress: () => undefined })
    expect(await contentsOf(pool, school.views)).toEqual(live)
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
