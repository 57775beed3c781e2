import { fold } from '#kernel/decider'
import { noStream } from '#platform/event-store/event-store'
import type { EventStore, Position, StreamAppend } from '#platform/event-store/event-store'
import { stampEvents, type Stamp } from '#platform/event-store/command-handler'
import { readAttemptEvent } from './events'
import type { AttemptEvent } from './events'
import { attemptFold, evolve } from './fold'
import { attemptStream } from './payment-attempt'
import type { PaymentAttempt } from './payment-attempt'

/** An attempt as its stream told it; `position` of its last event, null when it has none. */
export type LoadedAttempt = {
  id: string
  attempt: PaymentAttempt
  revision: number
  position: Position | null
}

export const loadAttempt = async (
  eventStore: Pick<EventStore, 'read'>,
  id: string,
): Promise<LoadedAttempt> => {
  const stream = attemptStream(id)
  const recorded = (await eventStore.read([stream])).get(stream) ?? []
  const last = recorded.at(-1)
  return {
    id,
    attempt: fold(
      attemptFold,
      recorded.flatMap((event) => readAttemptEvent(event) ?? []),
    ),
    revision: last?.revision ?? noStream,
    position: last?.position ?? null,
  }
}

/** The attempt as it will be once these events are appended. */
export const advanced = (loaded: LoadedAttempt, events: readonly AttemptEvent[]): LoadedAttempt => ({
  ...loaded,
  attempt: events.reduce(evolve, loaded.attempt),
  revision: loaded.revision + events.length,
})

/** These events on that attempt, at the revision it was loaded at; no events is nothing to append. */
export const attemptAppend = (
  { id, revision }: LoadedAttempt,
  events: readonly AttemptEvent[],
  stamp: Stamp,
): StreamAppend[] =>
  events.length === 0
    ? []
    : [{ stream: attemptStream(id), expectedRevision: revision, events: stampEvents(events, stamp) }]
