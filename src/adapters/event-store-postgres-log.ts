import { pagesOf } from './database-snapshot'
import type { Transaction } from './database-snapshot'
import { positionOf } from './event-store-postgres-rows'
import type { LogLine } from '#platform/event-store/log-line'

const lines = `
  select xid::text, seq::text, id, json_build_object('stream', stream, 'revision', revision, 'id', id, 'type', type,
    'data', data, 'metadata', metadata, 'recordedAt', at)::text as text
  from platform.events order by platform.events.xid, platform.events.seq`

/** All events that a transaction sees, in the store's order. */
export async function* postgresLog(transaction: Transaction): AsyncGenerator<LogLine[]> {
  for await (const page of pagesOf<{ xid: string; seq: string; id: string; text: string }>(
    transaction,
    lines,
  ))
    yield page.map((row) => ({ id: row.id, position: positionOf(row), text: row.text }))
}
