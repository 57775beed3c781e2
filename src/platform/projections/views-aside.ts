import type { Pool } from 'pg'
import type { EventStore, Position, RecordedEvent } from '#platform/event-store/event-store'
import { readLog } from '#platform/event-store/read-log'
import { batchProjector } from './batch-projector'
import { viewsCheckpoint } from './checkpoint'
import { changesOf, touchedKeys, touchReader, type RowView } from './row-view'
import { loadRows, noMove, writeChanges } from './view-rows'

/** A read model that cannot take in an event, where it stands and why, in words that anybody may read. */
export type ViewAside = { view: string; position: Position; reason: string }

export const viewsAside = async (pool: Pool): Promise<ViewAside[]> => {
  const { rows } = await pool.query<ViewAside>(
    'select view, position, reason from platform.views_aside order by view',
  )
  return rows
}

/** A condition for whoever keeps what they made of these views' rows: one that is aside catches up behind the others. */
export const noneAsideSql = (...views: readonly Pick<RowView, 'table'>[]): string =>
  `not exists (select from platform.views_aside where view in (${views.map(({ table }) => `'${table}'`).join(', ')}))`

/** Puts a view aside that has taken in everything up to `position` and cannot go on. */
export const putAside = async (pool: Pool, { view, position, reason }: ViewAside): Promise<void> => {
  await pool.query(
    `insert into platform.views_aside (view, position, reason) values ($1, $2, $3)
     on conflict (view) do update set reason = $3`,
    [view, position, reason],
  )
}

const batchSize = 500

const moveAsideSql = 'select platform.move_view_aside($1, $2, $3)'

/** Lets one view that is aside take in what it has missed up to `end`, batch by batch; throws where it still cannot. */
export const catchUp = async (
  { pool, eventStore }: { pool: Pool; eventStore: EventStore },
  view: RowView,
  aside: ViewAside,
  end: Position,
): Promise<void> => {
  const project = batchProjector(pool, [view], view.table, moveAsideSql)
  let { position } = aside
  await readLog(
    eventStore,
    { position: end },
    batchSize,
    async (events) => {
      const missed = events.filter((event) => event.position <= end)
      if (missed.length > 0) position = await project(missed, position)
    },
    position,
  )
  const { rowCount } = await pool.query(backAmongOthers, [view.table, viewsCheckpoint])
  if (rowCount !== 1) throw new Error('the others went on meanwhile')
}

const backAmongOthers = `delete from platform.views_aside a using platform.checkpoints c
  where a.view = $1 and c.name = $2 and a.position = c.position`

type Culprit = { view: string; error: unknown }

/** Those of the views that cannot take in this batch, each with its fault; nothing is written. */
export const culpritsOf = async (
  pool: Pool,
  views: readonly RowView[],
  events: RecordedEvent[],
): Promise<Culprit[]> => {
  const found: Culprit[] = []
  for (const view of views) {
    await rehearse(pool, view, events).catch((error: unknown) => found.push({ view: view.table, error }))
  }
  return found
}

const rehearse = async (pool: Pool, view: RowView, events: RecordedEvent[]): Promise<void> => {
  const touches = touchReader([view])(events)
  const changes = changesOf(await loadRows(pool, touchedKeys(touches)), touches)
  const client = await pool.connect()
  try {
    await client.query('begin')
    await writeChanges(client, changes, { name: view.table, from: '', to: '' }, noMove)
    // A constraint that waits for the commit is asked now.
    await client.query('set constraints all immediate')
  } finally {
    await client.query('rollback').catch(() => undefined)
    client.release()
  }
}
