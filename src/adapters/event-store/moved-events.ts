import type { Transaction } from '../postgres/snapshot'
import { beginning } from '#platform/event-store/event-store'
import type { Position, RecordedEvent } from '#platform/event-store/event-store'

/** An event in the place that it has in the store it went to. */
export type MovedEvent = Pick<RecordedEvent, 'id' | 'stream' | 'revision'> & {
  position: Position
  at: string
}

/**
 * Where events went, in a table that lives as long as the transaction: numbered from 1 in their order. What names
 * positions of the store they come from finds them here.
 */
export type MovedEvents = ReturnType<typeof movedEvents>

export const openMovedEvents = async (transaction: Transaction): Promise<MovedEvents> => {
  await transaction.query(`create temp table moved_events (
    number bigint primary key, id uuid not null unique, stream text not null, revision integer not null,
    position text collate "C" not null, at timestamptz) on commit drop`)
  return movedEvents(transaction)
}

const movedEvents = (transaction: Transaction) => ({
  /** Adds events behind the first `count`. */
  add: async (count: number, events: readonly MovedEvent[]): Promise<void> => {
    const rows = events.map(({ id, stream, revision, position, at }, index) => {
      const number = count + 1 + index
      return { number, id, stream, revision, position, at }
    })
    await transaction.query(
      'insert into moved_events select * from json_populate_recordset(null::moved_events, $1::json)',
      [JSON.stringify(rows)],
    )
  },

  /** At most `limit` of them behind the first `count`, in order. */
  behind: async (count: number, limit: number): Promise<MovedEvent[]> => {
    const { rows } = await transaction.query<MovedEvent>(
      `select id, stream, revision, position, at::text from moved_events
       where number > $1 and number <= $1::bigint + $2 order by number`,
      [count, limit],
    )
    return rows
  },

  /** The events are those of the events table of this database. */
  areThose: async (): Promise<void> => {
    await transaction.query(`insert into moved_events
      select row_number() over (order by xid, seq), id, stream, revision, ${placeSql}, (metadata->>'at')::timestamptz
      from platform.events`)
  },

  /** Where the last of the first events up to that one stands; before all of them for null. */
  positionOf: async (id: string | null): Promise<Position> => {
    const { rows } = await transaction.query<{ position: Position }>(
      'select position from moved_events where id = $1',
      [id],
    )
    return rows[0]?.position ?? beginning
  },

  /** Where the last event stands that is older than that one by so much and not behind it. */
  positionBefore: async (id: string | null, interval: string): Promise<Position> => {
    const { rows } = await transaction.query<{ position: Position }>(
      `select earlier.position from moved_events one, moved_events earlier
       where one.id = $1 and earlier.number <= one.number and earlier.at < one.at - $2::interval
       order by earlier.number desc limit 1`,
      [id, interval],
    )
    return rows[0]?.position ?? beginning
  },
})

/** What names places in the events table of this database names from now on where those events went. */
export const followMovedEvents = async (transaction: Transaction): Promise<void> => {
  await transaction.query(`
    alter table audit.chain disable trigger chain_only_grows;
    update audit.chain c set position = l.place
    from (select k.number, ${linkPlaceSql('m.position')} as place
      from audit.chain k left join moved_events m on m.id = k.event_id) l
    where l.number = c.number;
    alter table audit.chain enable trigger chain_only_grows;
    update platform.checkpoints c set position = coalesce((
      select m.position from platform.events e join moved_events m using (id)
      where ${placeSql} <= c.position collate "C" order by m.number desc limit 1), '${beginning}')`)
}

/** The position of a row of the events table, as the store on Postgres spells it. */
export const placeSql = `lpad(xid::text, 20, '0') || '-' || lpad(seq::text, 20, '0')`

/** Where a link `k` of the chain stands: with its event, or where that is gone, behind the link before it. */
export const linkPlaceSql = (position: string) =>
  `coalesce(${position}, coalesce(max(${position}) over (order by k.number), '') || '+' || lpad(k.number::text, 20, '0'))`
