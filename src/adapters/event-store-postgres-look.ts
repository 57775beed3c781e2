import type { Pool } from 'pg'
import { placeOf, positionOf, recordedEvent } from './event-store-postgres-rows'
import type { EventRow } from './event-store-postgres-rows'
import type { Position } from '#platform/event-store/event-store'
import type { Look } from '#platform/event-store/pull-subscription'

/**
 * An event is settled when its transaction is older than every open one: nothing can still commit before it. Events
 * nobody asked for come without their data, to be passed over.
 */
const page = `
  select xid::text, seq::text, stream, revision, id, type,
    case when $4::text[] is null or type = any($4::text[]) then data end as data,
    case when $4::text[] is null or type = any($4::text[]) then metadata end as metadata,
    xid < (select pg_snapshot_xmin(pg_current_snapshot())) as settled
  from platform.events
  where (xid, seq) > ($1::xid8, $2::bigint)
  order by platform.events.xid, platform.events.seq
  limit $3`

/** One look at what was appended after a position, in the store's order. */
export const postgresLook =
  (pool: Pool, batchSize: number, types: readonly string[] | undefined) =>
  async (after: Position): Promise<Look> => {
    const values = [...placeOf(after), batchSize, types ?? null]
    const { rows } = await pool.query<EventRow & { settled: boolean }>({
      name: 'events-page',
      text: page,
      values,
    })
    const settled = rows.filter((row) => row.settled)
    const last = settled.at(-1)
    const wanted = types === undefined ? settled : settled.filter(({ type }) => types.includes(type))
    return {
      events: wanted.map(recordedEvent),
      after: last ? positionOf(last) : after,
      next: settled.length < rows.length ? 'soon' : rows.length === batchSize ? 'more' : 'wait',
    }
  }
