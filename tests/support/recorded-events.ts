import { z } from 'zod'
import { type DomainEvent, eventType } from '#kernel/event'
import { stampEvents } from '#platform/event-store/command-handler'
import type { EventStore, NewEvent, Position, RecordedEvent } from '#platform/event-store/event-store'

const fixedStamp = { actor: 'user:1', correlationId: 'request-1', at: new Date('2026-09-16T07:00:00.000Z') }

/** Events ready to append, with ids that follow from `seed` and a fixed actor and time. */
export const newEvents = (seed: string, ...events: DomainEvent[]): NewEvent[] =>
  stampEvents(events, { ...fixedStamp, idSeed: seed })

/** One event as a store would hand it over, with what the test cares about. */
export const recorded = (
  event: DomainEvent,
  {
    at,
    actor,
    ...place
  }: Partial<Omit<RecordedEvent, 'data' | 'type' | 'metadata'>> & { at?: string; actor?: string } = {},
): RecordedEvent => {
  const [made] = newEvents('recorded', event) as [NewEvent]
  const metadata = { ...made.metadata, at: at ?? made.metadata.at, actor: actor ?? made.metadata.actor }
  return { ...made, stream: 'recorded-1', revision: 0, position: positionAt(0), ...place, metadata }
}

/** Events of one stream, one after another; those that are recorded already keep what they have but the position. */
export const recordedEvents = (...events: (DomainEvent | RecordedEvent)[]): RecordedEvent[] =>
  events.map((event, index) => ({
    ...('position' in event ? event : recorded(event, { revision: index })),
    position: positionAt(index),
  }))

const positionAt = (index: number) => String(index + 1).padStart(20, '0')

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
