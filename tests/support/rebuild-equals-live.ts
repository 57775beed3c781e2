import type { Database } from '#platform/database'
import type { EventStore } from '#platform/event-store/event-store'
import type { Turns } from '#platform/turns'
import type { RowView } from '#platform/projections/row-view'
import { rebuildViews } from '#platform/projections/rebuild-views'
import { eventually } from './eventually'
import { contentsOf } from './view-contents'

/**
 * Expects that views rebuilt from all events hold the very rows that the live ones held, and that there are rows in
 * each of them. Waits first until the running projector has passed every event.
 */
export const expectRebuildEqualsLive = async (school: {
  database: Pick<Database, 'pool'>
  eventStore: EventStore
  turns: Turns
  views: readonly RowView[]
}): Promise<void> => {
  const { pool } = school.database
  await eventually(async () => {
    const { rows } = await pool.query("select position from platform.checkpoints where name = 'views'")
    return rows[0]?.position === (await school.eventStore.end()).position
  })
  const live = await contentsOf(pool, school.views)
  const empty = Object.keys(live).filter((view) => live[view]?.length === 0)
  expect(empty).toEqual([])
  await rebuildViews({ ...school, onProgress: () => undefined })
  expect(await contentsOf(pool, school.views)).toEqual(live)
}
