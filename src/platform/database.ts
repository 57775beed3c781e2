import type { Knex } from 'knex'
import type { Pool } from 'pg'

/** What can be asked: the pool, or one connection of it inside a transaction. */
export type Reader = Pick<Pool, 'query'>

/** The two ways to one Postgres: knex for tables, the pool for events, views and the reads of every request. */
export type Database = { knex: Knex; pool: Pool; close: () => Promise<void> }
