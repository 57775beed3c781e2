import { z } from 'zod'
import type { DomainEvent } from '#kernel/event'
import { eventType } from '#kernel/event'
import type { EventStore, NewEvent, Position, RecordedEvent } from '#platform/event-store/event-store'
import { stampEvents } from '#platform/event-store/stamp-events'

const fixedStamp = { actor: 'user:1', correlationId: 'request-1', at: new Date('2026-09-16T07:00:00.000Z') }

/** Events ready to append, with ids that follow from `seed` and a fixed actor and time. */
export const newEvents = (seed: string, ...events: DomainEvent[]): NewEvent[] =>
  stampEvents(events, { ...fixedStamp, idSeed: seed })

/** Events as a store would hand them over: one stream, positions one after another, a fixed actor and time. */
export const recordedEvents = (...events: DomainEvent[]): RecordedEvent[] =>
  newEvents('recorded', ...events).map((event, revision) => ({
    ...event,
    stream: 'recorded-1',
    revision,
    position: String(revision + 1).padStart(20, '0'),
  }))

/** Two event types that belong to no context, for the machines under test. */
export const counted = eventType('test.counted.v1', z.strictObject({ number: z.int() }))
export const noted = eventType('test.noted.v1', z.strictObject({ text: z.string() }))

/** Follows a store and keeps what it is given, to be waited for. */
export const follow = (
  store: EventStore,
  from: Position | null,
  types?: readonly string[],
  batchSize = 100,
) => {
  const events: RecordedEvent[] = []
  const batches: number[] = []
  const subscription = store.subscribe({ from, batchSize, types }, async (batch) => {
    batches.push(batch.length)
    events.push(...batch)
  })
  return { events, batches, close: subscription.close, done: subscription.done }
}
