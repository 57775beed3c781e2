import type { Transaction } from './snapshot'
import { linkPlaceSql } from '../event-store/moved-events'

/** Puts events, the text of one JSON object each, into the events table, behind the first `count`. */
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

/** New events come behind those that were put in. */
export const countOn = async (transaction: Transaction): Promise<void> => {
  await transaction.query(
    `select setval('platform.events_seq_seq', greatest(max(seq), 1), max(seq) is not null) from platform.events`,
  )
}

/** The chain as it was, its links at the places where their events are now. */
export const chainRestoring = async (transaction: Transaction) => {
  await transaction.query(
    'create temp table moved_links (number bigint primary key, "eventId" uuid, hash text) on commit drop',
  )
  return {
    add: async (rows: string[]): Promise<void> => {
      await transaction.query(
        'insert into moved_links select * from json_populate_recordset(null::moved_links, $1::json)',
        [`[${rows.join(',')}]`],
      )
    },
    finish: async (): Promise<void> => {
      await transaction.query(`insert into audit.chain (number, position, event_id, hash)
        select k.number, ${linkPlaceSql('m.position')}, k."eventId", k.hash
        from moved_links k left join moved_events m on m.id = k."eventId" order by k.number`)
    },
  }
}
