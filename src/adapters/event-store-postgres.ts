import type { Pool } from 'pg'
import { postgresAppend } from './event-store-postgres-append'
import { postgresLook } from './event-store-postgres-look'
import { positionOf, recordedEvent } from './event-store-postgres-rows'
import type { EventRow } from './event-store-postgres-rows'
import { beginning } from '#platform/event-store/event-store'
import type { EventStore, RecordedEvent, StoreEnd, StreamAppend } from '#platform/event-store/event-store'
import { pullSubscription } from '#platform/event-store/pull-subscription'
import type { Lookups } from '#platform/database'
import type { Notices } from '#platform/notices'

/** The channel on which processes tell each other which event types were appended. */
export const eventsChannel = 'platform_events'

const anything = ''
const longestNotice = 7_000

/**
 * The event store port on the table `platform.events`. Subscriptions are woken by appends in this process at once and
 * by notices from the others. A notice can be lost (its sender died between commit and sending, a connection broke),
 * so each subscription also looks by itself every `lookAgainMs`. `close` ends the subscriptions, not the pool.
 */
export const postgresEventStore = (needs: {
  pool: Pool
  lookups: Lookups
  notices: Notices
  lookAgainMs?: number
}): EventStore => {
  const { pool, lookups, notices, lookAgainMs = 5_000 } = needs
  const append = postgresAppend(pool)
  const waiting = waitingSubscriptions(notices)

  return {
    append: async (appends) => {
      const position = await append(appends)
      waiting.appended(typesOf(appends))
      return position
    },
    read: (streams) => readStreams(lookups, streams),
    subscribe: ({ from, batchSize, types }, onBatch) => {
      const look = postgresLook(pool, batchSize, types)
      const running = pullSubscription({ from: from ?? beginning, look, onBatch, lookAgainMs })
      const forget = waiting.add(running, types)
      running.done.then(forget, forget)
      return running
    },
    end: () => storeEnd(pool),
    ping: async () => (await pool.query('select 1').catch(() => null)) !== null,
    close: waiting.close,
  }
}

type Waiting = { close: () => Promise<void>; wake: () => void }

/** Who is to be woken by which event types, here and by the other processes. */
const waitingSubscriptions = (notices: Notices) => {
  const all = new Map<Waiting, readonly string[] | undefined>()
  let stopHearing: (() => void) | null = null

  const wake = (types: readonly string[] | null) => {
    for (const [{ wake: rise }, wanted] of all)
      if (!types || !wanted || wanted.some((type) => types.includes(type))) rise()
  }

  const tell = notices.sender(eventsChannel, (waiting, types) => {
    const both = [...new Set([...waiting.split(','), ...types.split(',')])].join(',')
    return waiting === anything || both.length > longestNotice ? anything : both
  })

  const hear = (message: string | null) =>
    wake(message === null || message === anything ? null : message.split(','))

  return {
    add: (subscription: Waiting, types: readonly string[] | undefined) => {
      all.set(subscription, types)
      stopHearing ??= notices.hear(eventsChannel, hear)
      return () => void all.delete(subscription)
    },
    appended: (types: string[]) => {
      if (types.length === 0) return
      wake(types)
      tell(types.join(','))
    },
    close: async () => {
      stopHearing?.()
      await Promise.all([...all.keys()].map(({ close }) => close()))
    },
  }
}

const typesOf = (appends: StreamAppend[]) => [
  ...new Set(appends.flatMap(({ events }) => events.map(({ type }) => type))),
]

const readStreams = async (lookups: Lookups, streams: string[]): Promise<Map<string, RecordedEvent[]>> => {
  const found = new Map(streams.map((stream): [string, RecordedEvent[]] => [stream, []]))
  if (streams.length === 0) return found
  const { rows } = await lookups.query<EventRow>({
    name: 'events-streams',
    // Stream by stream: a plan that was kept from when there were few events then never reads all of them.
    text: `select e.* from unnest((select $1::text[])) as wanted (stream) cross join lateral (
        select xid::text, seq::text, stream, revision, id, type, data, metadata
        from platform.events where stream = wanted.stream offset 0) e
      order by e.stream, e.revision`,
    values: [[...found.keys()]],
  })
  for (const row of rows) found.get(row.stream)?.push(recordedEvent(row))
  return found
}

const storeEnd = async (pool: Pool): Promise<StoreEnd> => {
  const { rows } = await pool.query<{ xid: string; seq: string; events: string }>(
    `select xid::text, seq::text, (select count(*) from platform.events)::text as events
     from platform.events order by platform.events.xid desc, platform.events.seq desc limit 1`,
  )
  return rows[0]
    ? { position: positionOf(rows[0]), events: Number(rows[0].events) }
    : { position: beginning, events: 0 }
}
