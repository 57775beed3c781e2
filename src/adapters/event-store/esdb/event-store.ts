import { setMaxListeners } from 'node:events'
import { esdbAppend } from './append'
import { defaultRetryPolicy, type Esdb, esdbAddress, isPassing, type RetryPolicy } from './connection'
import { lastPosition, readStreams, tryStore } from './read'
import { claimFor, schoolThere } from './school'
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
export const ownStreams = ['mealSlot-', 'paymentAttempt-', 'refund-', 'change-']

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
    school: () => schoolThere(esdb),
    claim: (schoolId) => claimFor(esdb, schoolId),
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
