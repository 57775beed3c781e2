import type { Pool } from 'pg'
import type { Position } from '#platform/event-store/event-store'
import { moveCheckpointSql } from '#platform/projections/checkpoint'
import type { Move } from '#platform/projections/checkpoint'

/** One event's place in the chain; numbers run from 1 without a gap. */
export type Link = { number: number; position: Position; eventId: string; hash: string }

/** Where the chain ends: the number and hash of its last link. */
export type Head = Pick<Link, 'number' | 'hash'>

/** Before the first link. */
export const chainStart: Head = { number: 0, hash: '0'.repeat(64) }

export const chainHead = async (pool: Pool): Promise<Head> => {
  const { rows } = await pool.query<Head>(
    'select number::float8 as number, hash from audit.chain order by audit.chain.number desc limit 1',
  )
  return rows[0] ?? chainStart
}

/** Adds links and moves the chain's checkpoint: one statement, so both or neither. */
export const addLinks = async (
  pool: Pool,
  links: readonly Link[],
  { name, from, to }: Move,
): Promise<void> => {
  const columns = [
    links.map(({ number }) => number),
    links.map(({ position }) => position),
    links.map(({ eventId }) => eventId),
    links.map(({ hash }) => hash),
  ]
  await pool.query({
    name: 'audit-chain-add',
    text: `with added as (
        insert into audit.chain (number, position, event_id, hash)
        select * from unnest($4::bigint[], $5::text[], $6::uuid[], $7::text[])
      ) ${moveCheckpointSql}`,
    values: [name, from, to, ...columns],
  })
}

/** At most `limit` links after that number, in order. */
export const linksAfter = async (pool: Pool, number: number, limit: number): Promise<Link[]> => {
  const { rows } = await pool.query<Link>({
    name: 'audit-chain-page',
    text: `select number::float8 as number, position, event_id as "eventId", hash
           from audit.chain where audit.chain.number > $1 order by audit.chain.number limit $2`,
    values: [number, limit],
  })
  return rows
}

/** The hashes that stand under these numbers now. */
export const hashesOf = async (pool: Pool, numbers: readonly number[]): Promise<Map<number, string>> => {
  const { rows } = await pool.query<Head>(
    'select number::float8 as number, hash from audit.chain where audit.chain.number = any($1::bigint[])',
    [numbers],
  )
  return new Map(rows.map(({ number, hash }) => [number, hash]))
}
