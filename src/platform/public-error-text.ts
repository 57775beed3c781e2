import { types } from 'node:util'
import { EventStoreUnavailable } from './event-store/event-store'
import { isOutage } from './outage'
import { PoisonEvent } from './projections/poison-event'

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
