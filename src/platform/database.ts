import type { Knex } from 'knex'
import type { Pool, QueryConfig, QueryResult, QueryResultRow } from 'pg'

/** What can be asked: the pool, or one connection of it inside a transaction. */
export type Reader = Pick<Pool, 'query'>

/** Prepared reads by key, each well under a millisecond, outside any transaction; a pool will do too. */
export type PipelinedReads = {
  query: <Row extends QueryResultRow>(asked: QueryConfig & { name: string }) => Promise<QueryResult<Row>>
}

/**
 * The ways to one Postgres: knex for tables, the pool for events, views and hot reads, `pipelinedReads` for the few short
 * reads that every request and every checkout makes.
 */
export type Database = { knex: Knex; pool: Pool; pipelinedReads: PipelinedReads; close: () => Promise<void> }
