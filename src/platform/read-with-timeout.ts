import type { Pool } from 'pg'
import { runInTransaction, type Reader } from './database'

const canceled = '57014'

export const tookTooLong = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === canceled

/** Reads over one connection with a limit per statement; a slow one fails (`tookTooLong`). */
export const readWithTimeout = <Result>(
  pool: Pool,
  ms: number,
  read: (at: Reader) => Promise<Result>,
): Promise<Result> => runInTransaction(pool, ['begin read only', `set local statement_timeout = ${ms}`], read)
