import { setMaxListeners } from 'node:events'
import { esdbAppend } from './append'
import { isPassing, defaultRetryPolicy, type RetryPolicy } from './retry-policy'
import { lastPosition, readStreams, tryStore, type Esdb } from './read'
import { esdbSubscription } from './subscribe'
import {
  beginning,
  type EventStore,
  type Position,
  type Subscription,
} from '#platform/event-store/event-store'
import type { Log } from '#platform/log'
import { StartError } from '#platform/start-error'

/** How the names of this application's streams begin. Events of other streams in the same store are not ours. */
export const ownStreams = ['mealSlot-', 'paymentAttempt-', 'refund-']

const startMs = 5_000
const pingMs = 2_000

/**
 * Opens the event store port on EventStoreDB 22.6 or later, or KurrentDB, and tries it. The client is loaded only
 * here, so a process without EVENTSTORE_URL does not load it. Throws StartError when it cannot be reached or refuses us.
 */
export const openEventStore = async (
  url: string,
  log: Log,
  settings: { streams?: readonly string[]; retryPolicy?: RetryPolicy } = {},
): Promise<EventStore> => {
  const { connection, credentials, shown, prefix } = esdbAddress(url)
  const { EventStoreDBClient } = await import('@eventstore/db-client')
  const closing = new AbortController()
  // Every call that waits to be repeated listens to it; there may be many.
  setMaxListeners(0, closing.signal)
  const retryPolicy = settings.retryPolicy ?? defaultRetryPolicy
  const esdb: Esdb = {
    client: connectedClient(() => EventStoreDBClient.connectionString(connection)),
    call: { credentials, requiresLeader: true },
    streams: settings.streams ?? ownStreams,
    prefix,
    retryPolicy,
    closing: closing.signal,
  }
  try {
    await tryStore({
      ...esdb,
      retryPolicy: { callMs: startMs, totalMs: Math.min(startMs, retryPolicy.totalMs) },
    })
  } catch (error) {
    await esdb.client.dispose()
    throw new StartError(`The event store at ${shown} ${reason(error)}.`, { cause: error })
  }
  return esdbEventStore(esdb, closing, log)
}

const connectedClient = <Client>(connect: () => Client): Client => {
  try {
    return connect()
  } catch (error) {
    throw new StartError(`EVENTSTORE_URL cannot be used: ${(error as Error).message.replace(/\.$/, '')}.`)
  }
}

const esdbEventStore = (esdb: Esdb, closing: AbortController, log: Log): EventStore => {
  const subscriptions = new Set<Subscription>()
  let lastKnown = beginning
  const remember = (position: Position) => {
    if (position > lastKnown) lastKnown = position
    return position
  }
  return {
    append: async (appends) => remember(await esdbAppend(esdb, appends)),
    read: (streams) => readStreams(esdb, streams),
    subscribe: (options, onBatch) => {
      const running = esdbSubscription(esdb, options, onBatch, log)
      const forget = () => void subscriptions.delete(running)
      subscriptions.add(running)
      running.done.then(forget, forget)
      return running
    },
    end: async () => ({ position: remember(await lastPosition(esdb, lastKnown)), events: null }),
    ping: () => {
      const retryPolicy = { callMs: pingMs, totalMs: pingMs }
      return tryStore({ ...esdb, retryPolicy }).then(
        () => true,
        () => false,
      )
    },
    close: async () => {
      closing.abort()
      await Promise.all([...subscriptions].map(({ close }) => close()))
      await esdb.client.dispose()
    },
  }
}

const reason = (error: unknown): string => {
  const { type, message } = error as { type?: string; message: string }
  if (type === 'access-denied') return 'refuses the user or the password, or does not let that user read $all'
  return `${isPassing(error) ? 'cannot be reached' : 'cannot be used'}: ${message.replace(/\.$/, '')}`
}

export type Credentials = { username: string; password: string }

/** Where an EventStoreDB is and who we are there. `connection` holds no password; the client may print it. */
export type EsdbAddress = {
  connection: string
  credentials: Credentials
  shown: string
  /** What the names of all our streams begin with there; nothing unless the address has a `streamPrefix`. */
  prefix: string
}

const pattern =
  /^(?:esdb|kurrent|kurrentdb)(\+discover)?:\/\/(?:([^:@/?]+):([^@/?]+)@)?([^@?/]+)\/?(?:\?(.*))?$/i

// Without TLS the client sends no credentials, but a call that has some is a call of its own (decision 0008).
const nobody: Credentials = { username: 'nobody', password: 'nobody' }

/**
 * Reads EVENTSTORE_URL: `esdb://` and its newer name `kurrentdb://`, which the client does not know, with
 * `+discover`, one host or several, the client's own options, and `streamPrefix`, with which several schools share a
 * store. Throws StartError, never with the password in it.
 */
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

/** Takes our own option, which the client does not know, from among the others. */
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
