import { types } from 'node:util'

// SQLSTATE: connection (08), resources such as a full disk (53), shutdown (57P), I/O (58), read-only standby (25006).
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

// Messages of pg, its pool, knex and ioredis without a code; knex prefixes the statement and a dash.
const words =
  /(?:^| - )(?:Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|Knex: Timeout acquiring a connection|timeout expired|Query read timeout|Connection is closed|Command timed out|Reached the max retries per request limit|The job queue does not answer)/

/** True when a server behind the service is away or full: the request may have been done, and a retry may help. */
export const isOutage = (error: unknown): boolean => {
  if (!types.isNativeError(error)) return false
  const { code, errors = [] } = error as NodeJS.ErrnoException & { errors?: unknown[] }
  if (errors.some((one) => isOutage(one))) return true
  if (typeof code === 'string' && (sqlOutage.test(code) || unreachable.has(code))) return true
  return words.test(error.message) || (error.cause !== undefined && isOutage(error.cause))
}
