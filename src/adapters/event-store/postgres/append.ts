import { DatabaseError } from 'pg'
import type { Pool } from 'pg'
import { positionOf } from './rows'
import { appendsWithEvents, recognised, refuseConflict } from '#platform/event-store/append-plan'
import type { StoredPlace } from '#platform/event-store/append-plan'
import { eventJson } from '#platform/event-store/event-json'
import { beginning, noStream } from '#platform/event-store/event-store'
import type { Position, StreamAppend } from '#platform/event-store/event-store'

/**
 * One statement, so one attempt trip and one transaction. The sequence is drawn in the order given, then the rows go in
 * in the order of their streams: two appends that meet on several streams wait for each other in the same order, so
 * neither deadlocks. The snapshot is older than the transaction's number, so a stream's order is the store's order.
 */
const insert = `
  with given as materialized (
    select g.*, nextval('platform.events_seq_seq') as seq from jsonb_to_recordset($1::jsonb) as g
      (stream text, revision integer, first boolean, id uuid, type text, data jsonb, metadata jsonb)
  ), added as (
    insert into platform.events (seq, stream, revision, id, type, data, metadata)
    select seq, stream, revision, id, type, data, metadata from given
    where not exists (
      select from given as head where head.first and head.revision - 1 <>
        coalesce((select max(e.revision) from platform.events e where e.stream = head.stream), ${noStream})
    )
    order by stream collate "C", revision
    returning xid, seq
  )
  select xid::text, max(seq)::text as seq from added group by xid`

// A unique violation, a deadlock, a serialization failure: somebody else was there at the same time.
const worthAnotherLook = ['23505', '40P01', '40001']
const mostAttempts = 5

/** Appends all or nothing (DESIGN section 3); see the port for what is refused and what is recognised. */
export const postgresAppend =
  (pool: Pool) =>
  async (appends: StreamAppend[]): Promise<Position> => {
    let missing = appendsWithEvents(appends)
    let passed = beginning
    for (let attempt = 1; missing.length > 0; attempt += 1) {
      const added = await tryInsert(pool, missing)
      if (typeof added === 'string') return added
      const known = recognised(missing, await storedPlaces(pool, missing))
      if (known.missing.length === missing.length) {
        const last = await lastRevisions(pool, missing)
        refuseConflict(missing, (stream) => last.get(stream))
        // No stream is in the way any more: what was there has gone, or the fault is another.
        if (attempt >= mostAttempts)
          throw new Error(`Events cannot be stored: ${added?.message}`, { cause: added })
      }
      missing = known.missing
      if (known.passed > passed) passed = known.passed
    }
    return passed
  }

/** The position of the last event; an error or null when a stream is not where it was expected. */
const tryInsert = async (pool: Pool, appends: StreamAppend[]): Promise<Position | DatabaseError | null> => {
  try {
    const query = { name: 'events-append', text: insert, values: [rowsJson(appends)] }
    const { rows } = await pool.query<{ xid: string; seq: string }>(query)
    return rows[0] ? positionOf(rows[0]) : null
  } catch (error) {
    if (error instanceof DatabaseError && worthAnotherLook.includes(error.code ?? '')) return error
    throw error
  }
}

const rowsJson = (appends: StreamAppend[]): string => {
  const seen = new Set<string>()
  const rows = appends.flatMap(({ stream, expectedRevision, events }) => {
    const known = seen.has(stream)
    seen.add(stream)
    return events.map((event, index) => {
      const { id, type, metadata } = event
      const first = index === 0 && !known
      const row = JSON.stringify({
        stream,
        revision: expectedRevision + 1 + index,
        first,
        id,
        type,
        metadata,
      })
      // The data is text already, from measuring it.
      return `${row.slice(0, -1)},"data":${eventJson(event)}}`
    })
  })
  return `[${rows.join(',')}]`
}

const idsOf = (appends: StreamAppend[]) => appends.flatMap(({ events }) => events.map(({ id }) => id))

const storedPlaces = async (pool: Pool, appends: StreamAppend[]): Promise<Map<string, StoredPlace>> => {
  const { rows } = await pool.query<{
    id: string
    stream: string
    revision: number
    xid: string
    seq: string
  }>('select id, stream, revision, xid::text, seq::text from platform.events where id = any($1::uuid[])', [
    idsOf(appends),
  ])
  return new Map(rows.map((row) => [row.id, { ...row, position: positionOf(row) }]))
}

const lastRevisions = async (pool: Pool, appends: StreamAppend[]): Promise<Map<string, number>> => {
  const { rows } = await pool.query<{ stream: string; revision: number }>(
    'select stream, max(revision) as revision from platform.events where stream = any($1::text[]) group by stream',
    [appends.map(({ stream }) => stream)],
  )
  return new Map(rows.map(({ stream, revision }) => [stream, revision]))
}
