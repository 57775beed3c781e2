import { setImmediate } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Reader } from '#platform/database'
import {
  beginning,
  type Position,
  type RecordedEvent,
  type StoreEnd,
  type LogLine,
} from '#platform/event-store/event-store'
import type { Page } from '#platform/event-store/pull-subscription'
import { pagesOf, type Transaction } from '../../postgres/tables'

const digits = 20

export const positionOf = (row: { xid: string; seq: string }): Position =>
  `${row.xid.padStart(digits, '0')}-${row.seq.padStart(digits, '0')}`

export const isPostgresPosition = (position: Position): boolean => /^\d{20}-\d{20}$/.test(position)

const placeOf = (position: Position): [xid: string, seq: string] => {
  if (position === beginning) return ['0', '0']
  const [xid = '', seq = ''] = position.split('-')
  return [BigInt(xid).toString(), BigInt(seq).toString()]
}

type EventRow = Omit<RecordedEvent, 'position'> & { xid: string; seq: string }

const recordedEvent = (row: EventRow): RecordedEvent => ({
  id: row.id,
  type: row.type,
  data: row.data,
  metadata: row.metadata,
  stream: row.stream,
  revision: row.revision,
  position: positionOf(row),
})

export const readStreams = async (from: Reader, streams: string[]): Promise<Map<string, RecordedEvent[]>> => {
  const found = new Map(streams.map((stream): [string, RecordedEvent[]] => [stream, []]))
  if (streams.length === 0) return found
  const { rows } = await from.query<EventRow>({
    name: 'events-streams',
    // By stream: a plan cached when the table was small never scans it whole.
    text: `select e.* from unnest((select $1::text[])) as wanted (stream) cross join lateral (
        select xid::text, seq::text, stream, revision, id, type, data, metadata
        from platform.events where stream = wanted.stream offset 0) e
      order by e.stream, e.revision`,
    values: [[...found.keys()]],
  })
  for (const row of rows) found.get(row.stream)?.push(recordedEvent(row))
  return found
}

export const storeEnd = async (pool: Pool): Promise<StoreEnd> => {
  const { rows } = await pool.query<{ xid: string; seq: string; events: string }>(
    `select xid::text, seq::text, (select count(*) from platform.events)::text as events
     from platform.events order by platform.events.xid desc, platform.events.seq desc limit 1`,
  )
  return rows[0]
    ? { position: positionOf(rows[0]), events: Number(rows[0].events) }
    : { position: beginning, events: 0 }
}

export const oldestAfter = async (pool: Pool, position: Position): Promise<string | null> => {
  const { rows } = await pool.query<{ at: string }>({
    name: 'events-oldest-after',
    text: `select metadata->>'at' as at from platform.events where (xid, seq) > ($1::xid8, $2::bigint)
      order by platform.events.xid, platform.events.seq limit 1`,
    values: placeOf(position),
  })
  return rows[0]?.at ?? null
}

// Settled: older than every running append. Asking for those reads server locks (0.2 ms), so only a look after a held-up one asks.
const settled = (asks: string) => `(xid < (select pg_snapshot_xmin(pg_current_snapshot()))
  or (${asks} and xid < (select platform.settled_before())))`

type PageReader = (after: Position, asks: boolean) => Promise<Page>

const afterHeldUp = (read: PageReader) => {
  let isHeldUp = false
  return async (after: Position): Promise<Page> => {
    const page = await read(after, isHeldUp)
    isHeldUp = page.next === 'soon'
    return page
  }
}

/** Followers that ask for the same page in one turn of the event loop share one read: an append wakes all of them. */
const sharedInOneTurn = (from: Reader) => {
  const asked = new Map<string, Promise<Page>>()
  return (batchSize: number): PageReader =>
    (after, asks) => {
      const key = `${batchSize}/${after}/${asks}`
      const sharing = asked.get(key)
      if (sharing) return sharing
      const page = setImmediate().then(() => {
        asked.delete(key)
        return allPageReader(from, batchSize)(after, asks)
      })
      asked.set(key, page)
      return page
    }
}

export const postgresPageReaders = (from: Reader) => {
  const allPages = sharedInOneTurn(from)
  return (batchSize: number, types: readonly string[] | undefined): ((after: Position) => Promise<Page>) =>
    afterHeldUp(types ? typesPageReader(from, batchSize, types) : allPages(batchSize))
}

const page = `
  select xid::text, seq::text, stream, revision, id, type, data, metadata, ${settled('$4::boolean')} as settled
  from platform.events
  where (xid, seq) > ($1::xid8, $2::bigint)
  order by platform.events.xid, platform.events.seq
  limit $3`

const allPageReader =
  (from: Reader, batchSize: number) =>
  async (after: Position, asks: boolean): Promise<Page> => {
    const { rows } = await from.query<EventRow & { settled: boolean }>({
      name: 'events-page',
      text: page,
      values: [...placeOf(after), batchSize, asks],
    })
    const events = rows.filter((row) => row.settled).map(recordedEvent)
    return {
      events,
      after: events.at(-1)?.position ?? after,
      next: events.length < rows.length ? 'soon' : rows.length === batchSize ? 'more' : 'wait',
    }
  }

// A page for few types skips at most this many events.
const maxScanned = 2_000

const pageOfTypes = `
  with seen as materialized (
    select xid, seq, type, ${settled('$6::boolean')} as settled from platform.events
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

const typesPageReader =
  (from: Reader, batchSize: number, types: readonly string[]) =>
  async (after: Position, asks: boolean): Promise<Page> => {
    const limit = Math.max(maxScanned, batchSize)
    const { rows } = await from.query<Reached & (EventRow | { xid: null })>({
      name: 'events-page-of-types',
      text: pageOfTypes,
      values: [...placeOf(after), limit, types, batchSize, asks],
    })
    const { seen, settled: passed, last_xid: xid, last_seq: seq } = rows[0]!
    const events = rows.flatMap((row) => (row.xid === null ? [] : [recordedEvent(row)]))
    // A full batch may leave events behind.
    if (events.length === batchSize) return { events, after: events.at(-1)!.position, next: 'more' }
    return {
      events,
      after: xid === null ? after : positionOf({ xid, seq }),
      next: passed < seen ? 'soon' : seen === limit ? 'more' : 'wait',
    }
  }

const line = `json_build_object('stream', stream, 'revision', revision, 'id', id, 'type', type,
  'data', data, 'metadata', metadata, 'recordedAt', at)::text as text`

export async function* postgresLog(transaction: Transaction): AsyncGenerator<LogLine[]> {
  const select = `select xid::text, seq::text, id, ${line} from platform.events
    order by platform.events.xid, platform.events.seq`
  for await (const page of pagesOf<{ xid: string; seq: string; id: string; text: string }>(
    transaction,
    select,
  ))
    yield page.map((row) => ({ id: row.id, position: positionOf(row), text: row.text }))
}
