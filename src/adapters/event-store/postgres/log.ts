import { pagesOf } from '../../postgres/snapshot'
import type { Transaction } from '../../postgres/snapshot'
import { positionOf } from './rows'
import { readLogLine } from '#platform/event-store/log-line'
import type { LoggedEvent, LogLine } from '#platform/event-store/log-line'

const line = `json_build_object('stream', stream, 'revision', revision, 'id', id, 'type', type,
  'data', data, 'metadata', metadata, 'recordedAt', at)::text as text`

// Below the oldest open transaction nothing can come any more between two events.
const settledOnly = 'where platform.events.xid < pg_snapshot_xmin(pg_current_snapshot())'

/**
 * The events that a transaction sees, in the store's order: `all`, or `settled`, those that nothing can be put between
 * any more.
 */
export async function* postgresLog(
  transaction: Transaction,
  which: 'all' | 'settled',
): AsyncGenerator<LogLine[]> {
  const select = `select xid::text, seq::text, id, ${line} from platform.events
    ${which === 'settled' ? settledOnly : ''} order by platform.events.xid, platform.events.seq`
  for await (const page of pagesOf<{ xid: string; seq: string; id: string; text: string }>(
    transaction,
    select,
  ))
    yield page.map((row) => ({ id: row.id, position: positionOf(row), text: row.text }))
}

/** Every stream with its events, oldest first, as far as `which` goes; some streams at a time. */
export async function* postgresStreams(
  transaction: Transaction,
  which: 'all' | 'settled',
): AsyncGenerator<Map<string, LoggedEvent[]>> {
  const where = which === 'settled' ? settledOnly : ''
  const pages = pagesOf<{ stream: string }>(
    transaction,
    `select distinct stream from platform.events ${where} order by stream`,
  )
  for await (const page of pages) {
    const names = page.map(({ stream }) => stream)
    const found = new Map(names.map((name): [string, LoggedEvent[]] => [name, []]))
    const { rows } = await transaction.query<{ text: string }>(
      `select ${line} from (select * from platform.events ${where}) e
       where stream = any($1::text[]) order by stream, revision`,
      [names],
    )
    for (const event of rows.map(({ text }) => readLogLine(text))) found.get(event.stream)?.push(event)
    yield found
  }
}
