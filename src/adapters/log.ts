import { types } from 'node:util'
import pino from 'pino'
import type { DestinationStream } from 'pino'
import type { Log } from '#platform/log'

const secretNames = [
  'password',
  'currentPassword',
  'newPassword',
  'confirmPassword',
  'cookie',
  'set-cookie',
  'authorization',
]

/** Only what an operator needs: a library's error may carry queries, headers or bodies as properties. */
const faultShape = (error: unknown): unknown => {
  if (!types.isNativeError(error)) return error
  const { name, message, stack, cause } = error
  const code = 'code' in error ? error.code : undefined
  return { name, message, code, stack, cause: cause === undefined ? undefined : faultShape(cause) }
}

/**
 * One JSON line per event on standard output, `err` with its stack. Values under the names of secrets are struck out
 * at the first two levels; that is a net, not a licence to log bodies or headers.
 */
export const pinoLog = (level: string, destination?: DestinationStream): Log =>
  pino(
    {
      level,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: faultShape },
      redact: secretNames.flatMap((name) => [`["${name}"]`, `*["${name}"]`]),
    },
    destination ?? pino.destination({ dest: 1, sync: false }),
  )
