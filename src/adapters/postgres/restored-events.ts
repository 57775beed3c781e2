import { beginning, type Position, type RecordedEvent } from '#platform/event-store/event-store'
import type { Transaction } from './tables'

export type RestoredEvent = Pick<RecordedEvent, 'id' | 'stream' | 'revision'> & {
  position: Position
  at: string
}

/** Temporary table of restored events and their positions here, numbered in order: an archive's checkpoints and chain name events. */
export type RestoredEvents = ReturnType<typeof restoredEvents>

export const openRestoredEvents = async (transaction: Transaction): Promise<RestoredEvents> => {
  await transaction.query(`create temp table restored_events (
    number bigint primary key, id uuid not null unique, stream text not null, revision integer not null,
    position text collate "C" not null, at timestamptz) on commit drop`)
  return restoredEvents(transaction)
}

const restoredEvents = (transaction: Transaction) => ({
  add: async (count: number, events: readonly RestoredEvent[]): Promise<void> => {
    const rows = events.map(({ id, stream, revision, position, at }, index) => {
      const number = count + 1 + index
      return { number, id, stream, revision, position, at }
    })
    await transaction.query(
      'insert into restored_events select * from json_populate_recordset(null::restored_events, $1::json)',
      [JSON.stringify(rows)],
    )
  },

  after: async (count: number, limit: number): Promise<RestoredEvent[]> => {
    const { rows } = await transaction.query<RestoredEvent>(
      `select id, stream, revision, position, at::text from restored_events
       where number > $1 and number <= $1::bigint + $2 order by number`,
      [count, limit],
    )
    return rows
  },

  addOwnEvents: async (): Promise<void> => {
    await transaction.query(`insert into restored_events
      select row_number() over (order by xid, seq), id, stream, revision, ${positionSql}, (metadata->>'at')::timestamptz
      from platform.events`)
  },

  positionOf: async (id: string | null): Promise<Position> => {
    const { rows } = await transaction.query<{ position: Position }>(
      'select position from restored_events where id = $1',
      [id],
    )
    return rows[0]?.position ?? beginning
  },

  positionBefore: async (id: string | null, interval: string): Promise<Position> => {
    const { rows } = await transaction.query<{ position: Position }>(
      `select earlier.position from restored_events one, restored_events earlier
       where one.id = $1 and earlier.number <= one.number and earlier.at < one.at - $2::interval
       order by earlier.number desc limit 1`,
      [id, interval],
    )
    return rows[0]?.position ?? beginning
  },
})

const positionSql = `lpad(xid::text, 20, '0') || '-' || lpad(seq::text, 20, '0')`

export const insertEvents = async (
  transaction: Transaction,
  count: number,
  rows: string[],
): Promise<void> => {
  await transaction.query(
    `insert into platform.events (seq, stream, revision, id, type, data, metadata, at)
     select $2::bigint + number, stream, revision, id, type, data, metadata,
       coalesce("recordedAt", (metadata->>'at')::timestamptz, now())
     from rows from (json_to_recordset($1::json) as (stream text, revision integer, id uuid, type text, data jsonb,
       metadata jsonb, "recordedAt" timestamptz)) with ordinality
       as e (stream, revision, id, type, data, metadata, "recordedAt", number)`,
    [`[${rows.join(',')}]`, count],
  )
}

export const continueSequence = async (transaction: Transaction): Promise<void> => {
  await transaction.query(
    `select setval('platform.events_seq_seq', greatest(max(seq), 1), max(seq) is not null) from platform.events`,
  )
}

/** Restores chain links at their events' present positions; a link of a deleted event follows its predecessor. */
export const chainRestoring = async (transaction: Transaction) => {
  await transaction.query(
    'create temp table restored_links (number bigint primary key, "eventId" uuid, hash text) on commit drop',
  )
  return {
    add: async (rows: string[]): Promise<void> => {
      await transaction.query(
        'insert into restored_links select * from json_populate_recordset(null::restored_links, $1::json)',
        [`[${rows.join(',')}]`],
      )
    },
    finish: async (): Promise<void> => {
      await transaction.query(`insert into audit.chain (number, position, event_id, hash)
        select k.number, coalesce(m.position,
            coalesce(max(m.position) over (order by k.number), '') || '+' || lpad(k.number::text, 20, '0')),
          k."eventId", k.hash
        from restored_links k left join restored_events m on m.id = k."eventId" order by k.number`)
    },
  }
}
