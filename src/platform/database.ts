import { createHash } from 'node:crypto'
import type { Knex } from 'knex'
import type { Pool, PoolClient } from 'pg'

export type Reader = Pick<Pool, 'query'>

/** One Postgres: knex for tables, the pool for events, `reads` for the short prepared reads of every request, `views` for projections. */
export type Database = { knex: Knex; pool: Pool; reads: Reader; views: Reader; close: () => Promise<void> }

const names = new Map<string, string>()

const maxPrepared = 200

/** By name, for a statement whose few texts return: each connection keeps its plan of each. */
export const prepared = (text: string): { name?: string; text: string } => {
  const known = names.get(text)
  if (known !== undefined) return { name: known, text }
  if (names.size >= maxPrepared) return { text }
  const name = `text-${createHash('sha256').update(text).digest('hex').slice(0, 24)}`
  names.set(text, name)
  return { name, text }
}

const told = () => undefined

/** The caller releases the connection. Without a listener the `error` event of a broken one would end the process. */
export const connectionOf = async (pool: Pool): Promise<PoolClient> => {
  const client = await pool.connect()
  if (!client.listeners('error').includes(told)) client.on('error', told)
  return client
}

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
    // Ends the transaction with the connection, which may be broken already.
    client.release(true)
    throw error
  }
}

const canceled = '57014'

export const tookTooLong = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === canceled

/** Reads over one connection with a limit per statement; a slow one fails (`tookTooLong`). */
export const readWithTimeout = <Result>(
  pool: Pool,
  ms: number,
  read: (at: Reader) => Promise<Result>,
): Promise<Result> => runInTransaction(pool, ['begin read only', `set local statement_timeout = ${ms}`], read)

/** Null where no school was started. */
export const schoolOf = async (pool: Reader): Promise<string | null> =>
  (await pool.query<{ id: string }>('select id from platform.school')).rows[0]?.id ?? null

/** Keeps an existing id; answers the stored one. */
export const keepSchool = async (pool: Reader, id: string): Promise<string> => {
  await pool.query('insert into platform.school (id) values ($1) on conflict do nothing', [id])
  return (await schoolOf(pool))!
}

export const replaceSchool = async (pool: Reader, id: string): Promise<void> => {
  await pool.query('delete from platform.school')
  await keepSchool(pool, id)
}
