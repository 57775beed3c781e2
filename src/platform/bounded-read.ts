import type { Pool } from 'pg'
import { connectionOf, type Reader } from './database'

/** The code with which Postgres ends a statement that took too long. */
const canceled = '57014'

/** Whether it failed because a statement took longer than it may. */
export const tookTooLong = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === canceled

/** Reads over one connection on which every statement may take `ms`; one that takes longer fails (`tookTooLong`). */
export const boundedRead = async <Result>(
  pool: Pool,
  ms: number,
  read: (at: Reader) => Promise<Result>,
): Promise<Result> => {
  const client = await connectionOf(pool)
  try {
    await client.query('begin read only')
    await client.query(`set local statement_timeout = ${ms}`)
    const result = await read(client)
    await client.query('commit')
    client.release()
    return result
  } catch (error) {
    // Ending the connection ends the transaction, also when it is broken already.
    client.release(true)
    throw error
  }
}
