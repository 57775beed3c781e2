import { Counter, Histogram } from 'prom-client'
import type { Registry } from 'prom-client'
import { WrongExpectedRevision } from '#platform/event-store/event-store'
import type { EventStore, Position, StreamAppend } from '#platform/event-store/event-store'

const buckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** The event store, measured: how long appends take, how many lose to somebody quicker, what is written. */
export const measuredEventStore = (eventStore: EventStore, registry: Registry): EventStore => {
  const duration = new Histogram({
    name: 'tuckshop_append_duration_seconds',
    help: 'Duration of appends to the event store in seconds; conflict: somebody else was quicker',
    labelNames: ['outcome'] as const,
    buckets,
    registers: [registry],
  })
  const events = new Counter({
    name: 'tuckshop_events_appended_total',
    help: 'Events appended by this process, by type',
    labelNames: ['type'] as const,
    registers: [registry],
  })
  const count = (appends: StreamAppend[]) => {
    for (const append of appends) for (const { type } of append.events) events.inc({ type })
  }
  return {
    ...eventStore,
    append: async (appends) => {
      const startedAt = performance.now()
      const observe = (outcome: 'done' | 'conflict' | 'failed') =>
        duration.observe({ outcome }, (performance.now() - startedAt) / 1000)
      try {
        const position = await eventStore.append(appends)
        observe('done')
        count(appends)
        return position
      } catch (error) {
        observe(error instanceof WrongExpectedRevision ? 'conflict' : 'failed')
        throw error
      }
    },
  }
}

/** Measures how long commands wait until the views show their write. */
export const measuredWait = (wait: (position: Position) => Promise<void>, registry: Registry) => {
  const duration = new Histogram({
    name: 'tuckshop_views_wait_seconds',
    help: 'How long a command waited until the read models showed its write; from 2 s it goes on without',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.99],
    registers: [registry],
  })
  return async (position: Position): Promise<void> => {
    const end = duration.startTimer()
    await wait(position).finally(end)
  }
}
