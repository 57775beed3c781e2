import { types } from 'node:util'

// SQLSTATE classes and codes with which Postgres says that it cannot work now: connections (08), resources such as a
// full disk (53), an operator who stops it (57P), its own input and output (58), a standby that may not write (25006).
const sqlOutage = /^(?:08...|53...|57P0[1-5]|58...|25006)$/

const unreachable = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

// What the drivers (pg, its pool, knex, ioredis) say without a code; knex puts the statement and a dash before it.
const words =
  /(?:^| - )(?:Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Knex: Timeout acquiring a connection|timeout expired|Query read timeout|Connection is closed|Command timed out|Reached the max retries per request limit|The job queue does not answer)/

/**
 * True when what was thrown says that a server behind the service is away or full, and not that the service is at
 * fault: what was asked for may have been done all the same, and asking again later helps.
 */
export const isOutage = (error: unknown): boolean => {
  if (!types.isNativeError(error)) return false
  const { code, errors = [] } = error as NodeJS.ErrnoException & { errors?: unknown[] }
  if (errors.some((one) => isOutage(one))) return true
  if (typeof code === 'string' && (sqlOutage.test(code) || unreachable.has(code))) return true
  return words.test(error.message) || (error.cause !== undefined && isOutage(error.cause))
}
