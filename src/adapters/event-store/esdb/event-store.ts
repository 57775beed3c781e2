import { setMaxListeners } from 'node:events'
import { v7 } from 'uuid'
import {
  noStream,
  WrongExpectedRevision,
  beginning,
  type EventStore,
  EventStoreUnavailable,
  type Position,
  type Subscription,
} from '#platform/event-store/event-store'
import { StartError } from '#platform/failures'
import type { Log } from '#platform/log'
import { throttledWarnings } from '#platform/pacing'
import { appendToOne, esdbAppend } from './append'
import {
  type Esdb,
  defaultRetryPolicy,
  esdbAddress,
  isPassing,
  isPassingOnceOpen,
  outageOf,
  type RetryPolicy,
} from './connection'
import { readStream, lastPosition, oldestAfter, readStreams, tryStore, newestEvents } from './read'
import { esdbSubscription, pagesFrom } from './subscribe'

export const ownStreams = [
  'mealSlot-',
  'portions-',
  'paymentAttempt-',
  'plan-',
  'unpaidMeals-',
  'transfer-',
  'refund-',
  'cardRefunds-',
  'administratorOutflow-',
  'familyOutflow-',
  'familyCredit-',
  'change-',
]

const startMs = 5_000
const sharedBatch = 500
const pingMs = 2_000

type Settings = {
  streams?: readonly string[]
  retryPolicy?: RetryPolicy
  /** Checked before the first call until it succeeds once. Throws StartError when the store must not be used. */
  admit?: (store: EventStore) => Promise<void>
  /** Opens a store that is away and runs `admit` once it is there. */
  mayBeAway?: boolean
}

/** Opens EventStoreDB 22.6 or later, or KurrentDB. Throws StartError when it is unreachable or refuses us. */
export const openEventStore = async (url: string, log: Log, settings: Settings = {}): Promise<EventStore> => {
  const { connection, credentials, shown, prefix } = esdbAddress(url)
  const { EventStoreDBClient } = await import('@eventstore/db-client')
  const closing = new AbortController()
  setMaxListeners(0, closing.signal)
  const retryPolicy = settings.retryPolicy ?? defaultRetryPolicy
  const esdb: Esdb = {
    client: connectedClient(() => EventStoreDBClient.connectionString(connection)),
    call: { credentials, requiresLeader: true },
    streams: settings.streams ?? ownStreams,
    prefix,
    retryPolicy,
    isPassing,
    closing: closing.signal,
    admitted: () => Promise.resolve(),
    outage: outageOf(log),
  }
  const { admit = () => Promise.resolve(), mayBeAway = false } = settings
  // Retries longer than a call may wait, since nobody waits for this one alone.
  const asked = esdbEventStore({ ...esdb, retryPolicy: defaultRetryPolicy }, closing, log)
  const admitted = once(() => admit(asked))
  try {
    await tryStore({
      ...esdb,
      ...(!mayBeAway && { outage: { began: () => undefined, ended: () => undefined } }),
      retryPolicy: { callMs: startMs, totalMs: Math.min(startMs, retryPolicy.totalMs) },
    })
    await admitted()
  } catch (error) {
    if (!(mayBeAway && isPassing(error))) {
      await asked.close()
      if (error instanceof StartError) throw error
      throw new StartError(`The event store at ${shown} ${reason(error)}.`, { cause: error })
    }
  }
  return esdbEventStore({ ...esdb, isPassing: isPassingOnceOpen, admitted }, closing, log)
}

const once = (work: () => Promise<void>) => {
  let done: Promise<void> | null = null
  return () =>
    (done ??= work().catch((error: unknown) => {
      done = null
      throw error
    }))
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
  const onBroken = throttledWarnings((err, subscriptions) =>
    log.warn({ err, subscriptions }, 'subscriptions to the event store broke and are opened again'),
  )
  const newest = newestEvents(esdb, (wake) => pagesFrom(esdb, { batchSize: sharedBatch }, onBroken, wake))
  let lastKnown = beginning
  const remember = (position: Position) => {
    if (position > lastKnown) lastKnown = position
    return position
  }
  return {
    append: async (appends) => remember(await esdbAppend(esdb, appends)),
    read: (streams) => readStreams(esdb, streams),
    subscribe: (options, onBatch) => {
      const running = esdbSubscription(esdb, options, onBatch, { newest, onBroken })
      const forget = () => void subscriptions.delete(running)
      subscriptions.add(running)
      running.done.then(forget, forget)
      return running
    },
    end: async () => ({ position: remember(await lastPosition(esdb, lastKnown)), events: null }),
    oldestAfter: async (position) => {
      // One silent try: another follows.
      const oneTry = { ...esdb, retryPolicy: { callMs: pingMs, totalMs: 0 } }
      const end = remember(await lastPosition(oneTry, lastKnown))
      return end > position ? oldestAfter(oneTry, position) : null
    },
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
      newest.end()
      await esdb.client.dispose()
    },
  }
}

const reason = (error: unknown): string => {
  const { type, message } = causeOf(error) as { type?: string; message: string }
  if (type === 'access-denied') return 'refuses the user or the password, or does not let that user read $all'
  if (message.includes('ECONNREFUSED')) return 'cannot be reached: nothing answers there'
  if (/ENOTFOUND|EAI_AGAIN|Name resolution failed/.test(message))
    return 'cannot be reached: the host is not known'
  if (/Protocol error|wrong version number|packet length too long/.test(message))
    return 'cannot be used: what answers there is no EventStoreDB, or one with another setting of tls'
  const said = message.replace(/^\d+ [A-Z_]+: /, '').replace(/\.$/, '')
  return `${isPassing(error) ? 'cannot be reached' : 'cannot be used'}: ${said}`
}

const causeOf = (error: unknown) => (error instanceof EventStoreUnavailable ? error.cause : error)

// Not one of our own prefixes: no subscription, backup or chain contains it.
const stream = 'school'
const claimed = 'platform.store-claimed.v1'

/** The school that claimed the store or our prefix in it; null for none. */
const schoolThere = async (esdb: Esdb): Promise<string | null> => {
  const [first] = await readStream(esdb, stream, 0, 1)
  return first === undefined ? null : (first.data as { schoolId: string }).schoolId
}

/** Claims race for the first event of a stream; all read the winner. */
const claimFor = async (esdb: Esdb, schoolId: string): Promise<string> => {
  const there = await schoolThere(esdb)
  if (there !== null) return there
  const id = v7()
  const at = new Date().toISOString()
  const metadata = { actor: 'system', correlationId: id, causationId: id, at, schemaVersion: 1 }
  const events = [{ id, type: claimed, data: { schoolId }, metadata }]
  await appendToOne(esdb, { stream, expectedRevision: noStream, events }).catch((error: unknown) => {
    if (!(error instanceof WrongExpectedRevision)) throw error
  })
  return (await schoolThere(esdb))!
}
