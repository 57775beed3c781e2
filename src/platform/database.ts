import type { Knex } from 'knex'
import type { Pool, PoolClient } from 'pg'

/** What can be asked: the pool, or one connection of it inside a transaction. */
export type Reader = Pick<Pool, 'query'>

/** The two ways to one Postgres: knex for tables, the pool for events, views and the reads of every request. */
export type Database = { knex: Knex; pool: Pool; close: () => Promise<void> }

const told = () => undefined

/**
 * A connection of the pool for several statements; the caller releases it. When it breaks its statement fails, and so
 * does the next: without somebody who listens its `error` event would end the process beside that.
 */
export const connectionOf = async (pool: Pool): Promise<PoolClient> => {
  const client = await pool.connect()
  if (!client.listeners('error').includes(told)) client.on('error', told)
  return client
}

/** The work in a transaction that begins with these statements; all of it is undone where it fails. */
export const runInTransaction = async <Result>(
  pool: Pool,
  beginning: readonly string[],
  work: (at: Reader) => Promise<Result>,
): Promise<Result> => {
  const client = await connectionOf(pool)
  try {
    for (const statement of beginning) await client.query(statement)
    const result = await work(client)
    await client.query('commit')
    client.release()
    return result
  } catch (error) {
    // Ending the connection ends the transaction, also when it is broken already.
    client.release(true)
    throw error
  }
}
