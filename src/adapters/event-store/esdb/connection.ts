import { setTimeout as pause } from 'node:timers/promises'
import type { EventStoreDBClient } from '@eventstore/db-client'
import { EventStoreUnavailable } from '#platform/event-store/event-store'
import { StartError } from '#platform/failures'
import type { Log } from '#platform/log'
import { withTimeout } from '#platform/pacing'

export type Esdb = {
  client: EventStoreDBClient
  /** Followers may be behind: appends and reads want the leader. */
  call: { credentials: Credentials; requiresLeader: true }
  streams: readonly string[]
  /** Precedes stream names in the store only. */
  prefix: string
  retryPolicy: RetryPolicy
  isPassing: (error: unknown) => boolean
  closing: AbortSignal
  /** Resolves once the store is known to be this school's, immediately from then on. */
  admitted: () => Promise<void>
  outage: Outage
}

type Credentials = { username: string; password: string }

/** `connection` holds no password; the client may print it. */
export type EsdbAddress = {
  connection: string
  credentials: Credentials
  shown: string
  prefix: string
}

const pattern =
  /^(?:esdb|kurrent|kurrentdb)(\+discover)?:\/\/(?:([^:@/?]+):([^@/?]+)@)?([^@?/]+)\/?(?:\?(.*))?$/i

// Without TLS the client sends no credentials, but a call that has some is a separate call (decision 0008).
const nobody: Credentials = { username: 'nobody', password: 'nobody' }

/** Reads EVENTSTORE_URL; `streamPrefix`, an option of our own, lets schools share a store. Throws StartError without the password. */
export const esdbAddress = (url: string): EsdbAddress => {
  const [matched, discover = '', user, password, hosts, options = ''] = pattern.exec(url.trim()) ?? []
  if (matched === undefined)
    throw new StartError('EVENTSTORE_URL takes an address such as esdb://user:password@host:2113?tls=true.')
  const shown = `esdb${discover.toLowerCase()}://${hosts}`
  if (user === undefined && !/(?:^|&)tls=false(?:&|$)/i.test(options))
    throw new StartError(
      `The event store at ${shown} is reached with TLS, so EVENTSTORE_URL takes a user and a password (or tls=false).`,
    )
  const { prefix, others } = prefixIn(options)
  const named = /(?:^|&)connection[_-]?name=/i.test(others)
    ? others
    : addTo(others, 'connectionName=tuckshop')
  return { connection: `${shown}?${named}`, credentials: credentialsOf(user, password), shown, prefix }
}

const prefixIn = (options: string): { prefix: string; others: string } => {
  const all = options.split('&').filter((option) => option !== '')
  const ours = all.find((option) => /^streamPrefix=/i.test(option))
  if (ours === undefined) return { prefix: '', others: options }
  const name = ours.slice(ours.indexOf('=') + 1)
  if (!/^[a-z0-9_]{1,40}$/i.test(name))
    throw new StartError('EVENTSTORE_URL takes a streamPrefix of at most 40 letters, digits or _.')
  return { prefix: `${name}:`, others: all.filter((option) => option !== ours).join('&') }
}

const addTo = (options: string, option: string) => (options === '' ? option : `${options}&${option}`)

const credentialsOf = (user: string | undefined, password: string | undefined): Credentials => {
  if (user === undefined || password === undefined) return nobody
  try {
    return { username: decodeURIComponent(user), password: decodeURIComponent(password) }
  } catch {
    throw new StartError('EVENTSTORE_URL takes a user and a password with their % written as %25.')
  }
}

export type RetryPolicy = { callMs: number; totalMs: number }

export const defaultRetryPolicy: RetryPolicy = { callMs: 5_000, totalMs: 15_000 }

/** For callers with a waiting user: fails within 5 s. A leader change takes up to 3 s. */
export const patientRetryPolicy: RetryPolicy = { callMs: 2_000, totalMs: 4_000 }

const firstPauseMs = 50
const maxPauseMs = 1_000

// Cancelled, unknown (also: no leader), deadline exceeded, exhausted, aborted, internal (broken connection), unavailable.
const passingCodes = new Set([1, 2, 4, 8, 10, 13, 14])

export const isPassing = (error: unknown): boolean => {
  const { type, code, message } = error as { type?: string; code?: number; message?: string }
  return (
    error instanceof EventStoreUnavailable ||
    type === 'not-leader' ||
    (code !== undefined && passingCodes.has(code)) ||
    message?.startsWith('Failed to discover') === true
  )
}

const unauthenticated = 16

/** After a first success: a replaced node refuses everybody until it has the users. */
export const isPassingOnceOpen = (error: unknown): boolean =>
  isPassing(error) || (error as { code?: number }).code === unauthenticated

/** Logs an outage once when it begins and once when it ends. */
export type Outage = { began: (error: unknown) => void; ended: () => void }

export const outageOf = (log: Log): Outage => {
  let since: number | null = null
  return {
    began: (err) => {
      if (since !== null) return
      since = performance.now()
      log.warn({ err }, 'the event store does not answer: what needs it is refused until it does')
    },
    ended: () => {
      if (since === null) return
      log.info({ awayMs: Math.round(performance.now() - since) }, 'the event store answers again')
      since = null
    },
  }
}

/** Retries with growing pauses up to `totalMs`, then throws EventStoreUnavailable. The attempt is given its deadline. */
export const withRetries = async <Result>(
  { retryPolicy: { callMs, totalMs }, isPassing: mayPass, closing, admitted, outage }: Retrying,
  attempt: (callMs: number) => Promise<Result>,
): Promise<Result> => {
  const start = performance.now()
  const left = () => totalMs - (performance.now() - start)
  const most = () => (totalMs === 0 ? callMs : Math.min(callMs, Math.max(left(), 1)))
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, maxPauseMs)) {
    try {
      await answered(most(), admitted())
      const result = await attempt(most())
      outage.ended()
      return result
    } catch (error) {
      if (!mayPass(error)) throw error
      if (closing.aborted || left() < pauseMs) {
        if (!closing.aborted && totalMs > 0) outage.began(error)
        throw new EventStoreUnavailable(`The event store did not answer for ${totalMs || callMs} ms`, {
          cause: error,
        })
      }
      await pause(pauseMs, undefined, { signal: closing }).catch(() => undefined)
    }
  }
}

type Retrying = Pick<Esdb, 'retryPolicy' | 'isPassing' | 'closing' | 'admitted' | 'outage'>

export const answered = <Result>(ms: number, work: Promise<Result>): Promise<Result> =>
  withTimeout(ms, work, () => noAnswer(ms))

export const noAnswer = (ms: number): Error =>
  Object.assign(new Error(`The event store did not answer within ${Math.round(ms)} ms`), { code: 4 })
