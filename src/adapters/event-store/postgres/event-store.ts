import { DatabaseError, type Pool } from 'pg'
import { keepSchool, schoolOf, type Reader } from '#platform/database'
import {
  appendsWithEvents,
  eventJson,
  recognised,
  refuseConflict,
  type StoredPlace,
} from '#platform/event-store/append-plan'
import {
  beginning,
  type EventStore,
  type StreamAppend,
  noStream,
  type Position,
} from '#platform/event-store/event-store'
import { pullSubscription } from '#platform/event-store/pull-subscription'
import type { Notifications } from '#platform/ports'
import { oldestAfter, positionOf, postgresPageReaders, readStreams, storeEnd } from './read'

const eventsChannel = 'platform_events'

const anyType = ''
// A payload of NOTIFY may have 8,000 bytes.
const maxMessageLength = 7_000

/** Appends wake other processes by NOTIFY, which can be lost: subscriptions also poll every `pollMs`. `close` leaves the pool open. */
export const postgresEventStore = (needs: {
  pool: Pool
  reads: Reader
  notifications: Notifications
  pollMs?: number
}): EventStore => {
  const { pool, reads, notifications, pollMs = 5_000 } = needs
  const append = postgresAppend(pool)
  const subscriptions = openSubscriptions(notifications)
  const pages = postgresPageReaders(reads)

  return {
    append: async (appends) => {
      const position = await append(appends)
      subscriptions.appended(typesOf(appends))
      return position
    },
    read: (streams) => readStreams(reads, streams),
    subscribe: ({ from, batchSize, types }, onBatch) => {
      const readPage = pages(batchSize, types)
      const running = pullSubscription({ from: from ?? beginning, readPage, onBatch, pollMs })
      const forget = subscriptions.add(running, types)
      running.done.then(forget, forget)
      return running
    },
    end: () => storeEnd(pool),
    oldestAfter: (position) => oldestAfter(pool, position),
    school: () => schoolOf(pool),
    claim: (schoolId) => keepSchool(pool, schoolId),
    ping: async () => (await pool.query('select 1').catch(() => null)) !== null,
    close: subscriptions.close,
  }
}

type Wakeable = { close: () => Promise<void>; wake: () => void }

const openSubscriptions = (notifications: Notifications) => {
  const all = new Map<Wakeable, readonly string[] | undefined>()
  let unsubscribe: (() => void) | null = null

  const wake = (types: readonly string[] | null) => {
    for (const [subscription, wanted] of all)
      if (!types || !wanted || wanted.some((type) => types.includes(type))) subscription.wake()
  }

  const publish = notifications.publisher(eventsChannel, (waiting, types) => {
    const both = [...new Set([...waiting.split(','), ...types.split(',')])].join(',')
    return waiting === anyType || both.length > maxMessageLength ? anyType : both
  })

  const onMessage = (message: string | null) =>
    wake(message === null || message === anyType ? null : message.split(','))

  return {
    add: (subscription: Wakeable, types: readonly string[] | undefined) => {
      all.set(subscription, types)
      unsubscribe ??= notifications.subscribe(eventsChannel, onMessage)
      return () => void all.delete(subscription)
    },
    appended: (types: string[]) => {
      if (types.length === 0) return
      wake(types)
      publish(types.join(','))
    },
    close: async () => {
      unsubscribe?.()
      await Promise.all([...all.keys()].map(({ close }) => close()))
    },
  }
}

const typesOf = (appends: StreamAppend[]) => [
  ...new Set(appends.flatMap(({ events }) => events.map(({ type }) => type))),
]

/** Rows go in by stream, so that appends do not deadlock. The snapshot is older than the transaction id, so stream order is store order. */
const insert = `
  with given as materialized (
    select g.*, nextval('platform.events_seq_seq') as seq from jsonb_to_recordset($1::jsonb) as g
      (stream text, revision integer, first boolean, id uuid, type text, data jsonb, metadata jsonb)
  ), added as (
    insert into platform.events (seq, stream, revision, id, type, data, metadata)
    select seq, stream, revision, id, type, data, metadata from given
    where not exists (
      select from given as head where head.first and head.revision - 1 <>
        coalesce((select max(e.revision) from platform.events e where e.stream = head.stream), ${noStream})
    )
    order by stream collate "C", revision
    returning xid, seq
  )
  select xid::text, max(seq)::text as seq from added group by xid`

// Unique violation, deadlock, serialization failure: a concurrent write.
const conflictCodes = ['23505', '40P01', '40001']
const maxAttempts = 5

const postgresAppend =
  (pool: Pool) =>
  async (appends: StreamAppend[]): Promise<Position> => {
    let missing = appendsWithEvents(appends)
    let passed = beginning
    for (let attempt = 1; missing.length > 0; attempt += 1) {
      const added = await tryInsert(pool, missing)
      if (typeof added === 'string') return added
      const known = recognised(missing, await storedPlaces(pool, missing))
      if (known.missing.length === missing.length) {
        const last = await lastRevisions(pool, missing)
        refuseConflict(missing, (stream) => last.get(stream))
        if (attempt >= maxAttempts)
          throw new Error(`Events cannot be stored: ${added?.message}`, { cause: added })
      }
      missing = known.missing
      if (known.passed > passed) passed = known.passed
    }
    return passed
  }

/** Position of the last event; an error or null for an unexpected stream revision. */
const tryInsert = async (pool: Pool, appends: StreamAppend[]): Promise<Position | DatabaseError | null> => {
  try {
    const query = { name: 'events-append', text: insert, values: [rowsJson(appends)] }
    const { rows } = await pool.query<{ xid: string; seq: string }>(query)
    return rows[0] ? positionOf(rows[0]) : null
  } catch (error) {
    if (error instanceof DatabaseError && conflictCodes.includes(error.code ?? '')) return error
    throw error
  }
}

const rowsJson = (appends: StreamAppend[]): string => {
  const seen = new Set<string>()
  const rows = appends.flatMap(({ stream, expectedRevision, events }) => {
    const known = seen.has(stream)
    seen.add(stream)
    return events.map((event, index) => {
      const { id, type, metadata } = event
      const first = index === 0 && !known
      const row = JSON.stringify({
        stream,
        revision: expectedRevision + 1 + index,
        first,
        id,
        type,
        metadata,
      })
      // Already serialized, to measure it.
      return `${row.slice(0, -1)},"data":${eventJson(event)}}`
    })
  })
  return `[${rows.join(',')}]`
}

const idsOf = (appends: StreamAppend[]) => appends.flatMap(({ events }) => events.map(({ id }) => id))

const storedPlaces = async (pool: Pool, appends: StreamAppend[]): Promise<Map<string, StoredPlace>> => {
  const { rows } = await pool.query<{
    id: string
    stream: string
    revision: number
    xid: string
    seq: string
  }>('select id, stream, revision, xid::text, seq::text from platform.events where id = any($1::uuid[])', [
    idsOf(appends),
  ])
  return new Map(rows.map((row) => [row.id, { ...row, position: positionOf(row) }]))
}

const lastRevisions = async (pool: Pool, appends: StreamAppend[]): Promise<Map<string, number>> => {
  const { rows } = await pool.query<{ stream: string; revision: number }>(
    'select stream, max(revision) as revision from platform.events where stream = any($1::text[]) group by stream',
    [appends.map(({ stream }) => stream)],
  )
  return new Map(rows.map(({ stream, revision }) => [stream, revision]))
}
