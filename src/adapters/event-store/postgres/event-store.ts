import type { Pool } from 'pg'
import { postgresAppend } from './append'
import { postgresPageReader } from './read-page'
import { positionOf, recordedEvent } from './rows'
import type { EventRow } from './rows'
import { beginning } from '#platform/event-store/event-store'
import type { EventStore, RecordedEvent, StoreEnd, StreamAppend } from '#platform/event-store/event-store'
import { pullSubscription } from '#platform/event-store/pull-subscription'
import type { PipelinedReads } from '#platform/database'
import type { Notifications } from '#platform/notifications'

/** The channel on which processes publish each other which event types were appended. */
export const eventsChannel = 'platform_events'

const anything = ''
const longestNotice = 7_000

/**
 * The event store port on the table `platform.events`. Subscriptions are woken by appends in this process at once and
 * by notifications from the others. A notice can be lost (its sender died between commit and sending, a connection broke),
 * so each subscription also looks by itself every `pollMs`. `close` ends the subscriptions, not the pool.
 */
export const postgresEventStore = (needs: {
  pool: Pool
  pipelinedReads: PipelinedReads
  notifications: Notifications
  pollMs?: number
}): EventStore => {
  const { pool, pipelinedReads, notifications, pollMs = 5_000 } = needs
  const append = postgresAppend(pool)
  const waiting = waitingSubscriptions(notifications)

  return {
    append: async (appends) => {
      const position = await append(appends)
      waiting.appended(typesOf(appends))
      return position
    },
    read: (streams) => readStreams(pipelinedReads, streams),
    subscribe: ({ from, batchSize, types }, onBatch) => {
      const readPage = postgresPageReader(pool, batchSize, types)
      const running = pullSubscription({ from: from ?? beginning, readPage, onBatch, pollMs })
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
const waitingSubscriptions = (notifications: Notifications) => {
  const all = new Map<Waiting, readonly string[] | undefined>()
  let unsubscribe: (() => void) | null = null

  const wake = (types: readonly string[] | null) => {
    for (const [{ wake: rise }, wanted] of all)
      if (!types || !wanted || wanted.some((type) => types.includes(type))) rise()
  }

  const publish = notifications.publisher(eventsChannel, (waiting, types) => {
    const both = [...new Set([...waiting.split(','), ...types.split(',')])].join(',')
    return waiting === anything || both.length > longestNotice ? anything : both
  })

  const hear = (message: string | null) =>
    wake(message === null || message === anything ? null : message.split(','))

  return {
    add: (subscription: Waiting, types: readonly string[] | undefined) => {
      all.set(subscription, types)
      unsubscribe ??= notifications.subscribe(eventsChannel, hear)
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

const readStreams = async (
  pipelinedReads: PipelinedReads,
  streams: string[],
): Promise<Map<string, RecordedEvent[]>> => {
  const found = new Map(streams.map((stream): [string, RecordedEvent[]] => [stream, []]))
  if (streams.length === 0) return found
  const { rows } = await pipelinedReads.query<EventRow>({
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
