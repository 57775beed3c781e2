import { types } from 'node:util'
import { EventStoreUnavailable, type RecordedEvent } from './event-store/event-store'

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

const codeLike = /^\w{1,40}$/
// Postgres codes; system codes begin with E.
const sqlState = /^(?!E)(?=.*\d)[0-9A-Z]{5}$/

/** For `/readyz`. Other text may hold statements, names or values and stays in the log. */
export const publicErrorText = (error: unknown): string =>
  `${error instanceof PoisonEvent ? error.message : kindOf(error)}; see the log`

const kindOf = (error: unknown): string => {
  if (error instanceof EventStoreUnavailable) return 'the event store does not answer'
  if (!types.isNativeError(error)) return 'a fault without a name'
  const code = codeOf(error)
  const withCode = code === null ? '' : ` ${code}`
  if (isOutage(error))
    return code === null ? 'a server is away or full' : `a server is away or full (${code})`
  if (code !== null && sqlState.test(code)) return `database error ${code}`
  return `${codeLike.test(error.name) ? error.name : 'Error'}${withCode}`
}

const codeOf = (error: Error): string | null => {
  const { code, errors = [], cause } = error as NodeJS.ErrnoException & { errors?: unknown[] }
  if (typeof code === 'string' && codeLike.test(code)) return code
  for (const behind of [...errors, cause]) {
    const found = types.isNativeError(behind) ? codeOf(behind) : null
    if (found !== null) return found
  }
  return null
}

export class StartError extends Error {
  override readonly name = 'StartError'
}

/** No retry can handle this event; docs/operations.md tells by stream and revision what to do. */
export class PoisonEvent extends StartError {
  constructor(
    { stream, revision, type }: Pick<RecordedEvent, 'stream' | 'revision' | 'type'>,
    cause: unknown,
  ) {
    super(`event ${revision} of stream ${stream} (${type}) cannot be taken in`, { cause })
  }
}

export const naming = <Result>(
  event: Pick<RecordedEvent, 'stream' | 'revision' | 'type'>,
  act: () => Result,
): Result => {
  try {
    return act()
  } catch (error) {
    throw new PoisonEvent(event, error)
  }
}
