import { types } from 'node:util'
import pino, { type DestinationStream } from 'pino'
import type { Log } from '#platform/log'

const secretNames = new Set([
  'password',
  'currentPassword',
  'newPassword',
  'confirmPassword',
  'cookie',
  'set-cookie',
  'authorization',
])

// Pino's own redaction costs more than writing the line.
const struckOut = (details: Record<string, unknown>, depth = 2): Record<string, unknown> => {
  let shown = details
  for (const [name, value] of Object.entries(details)) {
    const safe = secretNames.has(name)
      ? '[struck out]'
      : isPlain(value) && depth > 1
        ? struckOut(value, depth - 1)
        : value
    if (safe !== value) shown = { ...shown, [name]: safe }
  }
  return shown
}

const isPlain = (value: unknown): value is Record<string, unknown> => {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** A library's error may carry queries, headers or bodies. */
const faultShape = (error: unknown): unknown => {
  if (!types.isNativeError(error)) return error
  const { name, message, stack, cause } = error
  const code = 'code' in error ? error.code : undefined
  return { name, message, code, stack, cause: cause === undefined ? undefined : faultShape(cause) }
}

/** One JSON line per event on stdout. Striking out secret names, at two levels, is a safety net: log no bodies or headers. */
export const pinoLog = (level: string, destination?: DestinationStream): Log =>
  pino(
    {
      level,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: (details) => struckOut(details) },
      serializers: { err: faultShape },
    },
    destination ?? pino.destination({ dest: 1, sync: false }),
  )
