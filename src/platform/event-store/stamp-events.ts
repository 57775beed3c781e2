import { v5, v7 } from 'uuid'
import type { DomainEvent } from '#kernel/event'
import type { NewEvent } from './event-store'

const eventNamespace = 'a3b1f0de-5a63-4c0e-9f0b-6d6f0b8f7a11'

export type Stamp = {
  actor: string
  correlationId: string
  /** The event, request or job that led here; the correlation id when absent. */
  causationId?: string
  at: Date
  /** With a seed the ids are derived from it and the event's place, so that a repeated append is recognised. */
  idSeed?: string
}

/** Gives events their ids and metadata, ready to append. */
export const stampEvents = (events: readonly DomainEvent[], stamp: Stamp): NewEvent[] =>
  events.map((event, index) => ({
    id: stamp.idSeed === undefined ? v7() : v5(`${stamp.idSeed}/${index}`, eventNamespace),
    type: event.type,
    data: event.data,
    metadata: {
      actor: stamp.actor,
      correlationId: stamp.correlationId,
      causationId: stamp.causationId ?? stamp.correlationId,
      at: stamp.at.toISOString(),
      schemaVersion: 1,
    },
  }))
