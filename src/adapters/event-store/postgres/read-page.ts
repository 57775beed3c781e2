import type { Pool } from 'pg'
import { placeOf, positionOf, recordedEvent } from './rows'
import type { EventRow } from './rows'
import type { Position } from '#platform/event-store/event-store'
import type { Page } from '#platform/event-store/pull-subscription'

// An event is settled when its transaction is older than every open one: nothing can still commit before it.
const settled = 'xid < (select pg_snapshot_xmin(pg_current_snapshot()))'

/** One readPage at what was appended after a position, in the store's order; with types only events of these. */
export const postgresPageReader = (
  pool: Pool,
  batchSize: number,
  types: readonly string[] | undefined,
): ((after: Position) => Promise<Page>) =>
  types ? lookForTypes(pool, batchSize, types) : lookAtAll(pool, batchSize)

const page = `
  select xid::text, seq::text, stream, revision, id, type, data, metadata, ${settled} as settled
  from platform.events
  where (xid, seq) > ($1::xid8, $2::bigint)
  order by platform.events.xid, platform.events.seq
  limit $3`

const lookAtAll =
  (pool: Pool, batchSize: number) =>
  async (after: Position): Promise<Page> => {
    const { rows } = await pool.query<EventRow & { settled: boolean }>({
      name: 'events-page',
      text: page,
      values: [...placeOf(after), batchSize],
    })
    const events = rows.filter((row) => row.settled).map(recordedEvent)
    return {
      events,
      after: events.at(-1)?.position ?? after,
      next: events.length < rows.length ? 'soon' : rows.length === batchSize ? 'more' : 'wait',
    }
  }

// So many events are passed over at once by who wants few of them.
const mostSeen = 2_000

// One row at least: how far the readPage reached; beside it each event that is wanted.
const pageOfTypes = `
  with seen as materialized (
    select xid, seq, type, ${settled} as settled from platform.events
    where (xid, seq) > ($1::xid8, $2::bigint)
    order by platform.events.xid, platform.events.seq limit $3
  ), wanted as (
    select xid, seq from seen where settled and type = any($4::text[]) order by seen.xid, seen.seq limit $5
  ), reached as (
    select count(*)::int as seen, (count(*) filter (where settled))::int as settled from seen
  ), last as (
    select xid::text as last_xid, seq::text as last_seq from seen where settled
    order by seen.xid desc, seen.seq desc limit 1
  )
  select reached.seen, reached.settled, last_xid, last_seq, wanted.xid::text, wanted.seq::text,
    stream, revision, id, type, data, metadata
  from reached left join last on true
  left join (wanted cross join lateral (
    select stream, revision, id, type, data, metadata from platform.events
    where xid = wanted.xid and seq = wanted.seq offset 0
  ) event) on true
  order by wanted.xid, wanted.seq`

type Reached = { seen: number; settled: number; last_xid: string | null; last_seq: string }

const lookForTypes =
  (pool: Pool, batchSize: number, types: readonly string[]) =>
  async (after: Position): Promise<Page> => {
    const limit = Math.max(mostSeen, batchSize)
    const { rows } = await pool.query<Reached & (EventRow | { xid: null })>({
      name: 'events-page-of-types',
      text: pageOfTypes,
      values: [...placeOf(after), limit, types, batchSize],
    })
    const { seen, settled: passed, last_xid: xid, last_seq: seq } = rows[0]!
    const events = rows.flatMap((row) => (row.xid === null ? [] : [recordedEvent(row)]))
    // A full batch may have left some of what was seen behind.
    if (events.length === batchSize) return { events, after: events.at(-1)!.position, next: 'more' }
    return {
      events,
      after: xid === null ? after : positionOf({ xid, seq }),
      next: passed < seen ? 'soon' : seen === limit ? 'more' : 'wait',
    }
  }
