import type { Pool } from 'pg'
import { runInTransaction, type Reader } from './database'

/** The code with which Postgres ends a statement that took too long. */
const canceled = '57014'

/** Whether it failed because a statement took longer than it may. */
export const tookTooLong = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === canceled

/** Reads over one connection on which every statement may take `ms`; one that takes longer fails (`tookTooLong`). */
export const boundedRead = <Result>(
  pool: Pool,
  ms: number,
  read: (at: Reader) => Promise<Result>,
): Promise<Result> => runInTransaction(pool, ['begin read only', `set local statement_timeout = ${ms}`], read)
