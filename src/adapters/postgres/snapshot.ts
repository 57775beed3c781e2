import type { Pool } from 'pg'
import { connectionOf } from '#platform/database'

/** One connection inside a transaction without time limits. */
export type Transaction = Pick<Pool, 'query'>

const withoutTimeouts = 'set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0'

/** Everything `read` sees is as it was at one moment, while others go on writing. */
export const inSnapshot = <Result>(
  pool: Pool,
  read: (snapshot: Transaction) => Promise<Result>,
): Promise<Result> => transaction(pool, 'begin isolation level repeatable read read only', read)

/** As `inSnapshot`, and writes all or nothing. Nobody else writes to the table `locked` meanwhile. */
export const inWritingSnapshot = <Result>(
  pool: Pool,
  locked: string | null,
  work: (snapshot: Transaction) => Promise<Result>,
): Promise<Result> => {
  // The lock comes before the first query, which takes the snapshot.
  const lock = locked === null ? '' : `; lock table ${locked} in share row exclusive mode`
  return transaction(pool, `begin isolation level repeatable read${lock}`, work)
}

/** All of it is written, or nothing. */
export const inTransaction = <Result>(
  pool: Pool,
  write: (transaction: Transaction) => Promise<Result>,
): Promise<Result> => transaction(pool, 'begin', write)

const transaction = async <Result>(
  pool: Pool,
  begin: string,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> => {
  const client = await connectionOf(pool)
  try {
    await client.query(begin)
    await client.query(withoutTimeouts)
    const result = await work(client)
    await client.query('commit')
    client.release()
    return result
  } catch (error) {
    // Ending the connection undoes all of it, also when it is broken already.
    client.release(true)
    throw error
  }
}

const usualPage = 500

/** The rows of a select, page by page, so that no more than a page is in memory. One select at a time in a transaction. */
export async function* pagesOf<Row extends object>(
  transaction: Transaction,
  select: string,
  values: unknown[] = [],
  pageRows = usualPage,
): AsyncGenerator<Row[]> {
  await transaction.query(`declare pages no scroll cursor for ${select}`, values)
  try {
    for (;;) {
      const { rows } = await transaction.query<Row>(`fetch ${pageRows} from pages`)
      if (rows.length > 0) yield rows
      if (rows.length < pageRows) break
    }
  } finally {
    // In a transaction that has failed nothing can be closed.
    await transaction.query('close pages').catch(() => undefined)
  }
}
