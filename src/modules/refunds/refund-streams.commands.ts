import { fold } from '#kernel/decider'
import type { Now } from '#platform/clock'
import { noStream } from '#platform/event-store/event-store'
import type { EventStore, Position } from '#platform/event-store/event-store'
import { stampEvents, type Stamp } from '#platform/event-store/command-handler'
import { evolve, readRefundEvent, refundStream } from './refund'
import type { Refund, RefundEvent } from './refund'
import { refundDecider } from './refund.decide'

/** Who does it, on whose behalf. */
export type By = { actor: string; correlationId: string }

export type RefundStreamNeeds = { eventStore: Pick<EventStore, 'read' | 'append'>; now: Now }

/** A refund as its stream told it; `position` of its last event, null when it has none. */
export type LoadedRefund = { id: string; refund: Refund; revision: number; position: Position | null }

export const loadRefund = async (eventStore: Pick<EventStore, 'read'>, id: string): Promise<LoadedRefund> => {
  const stream = refundStream(id)
  const recorded = (await eventStore.read([stream])).get(stream) ?? []
  const last = recorded.at(-1)
  const events = recorded.flatMap((event) => readRefundEvent(event) ?? [])
  return {
    id,
    refund: fold(refundDecider, events),
    revision: last?.revision ?? noStream,
    position: last?.position ?? null,
  }
}

/** Appends these events where the refund was loaded; answers the refund as it then is. No events change nothing. */
export const appendRefund = async (
  eventStore: Pick<EventStore, 'append'>,
  loaded: LoadedRefund,
  events: readonly RefundEvent[],
  stamp: Stamp,
): Promise<LoadedRefund> => {
  if (events.length === 0) return loaded
  const { id, revision } = loaded
  const position = await eventStore.append([
    { stream: refundStream(id), expectedRevision: revision, events: stampEvents(events, stamp) },
  ])
  return {
    id,
    refund: events.reduce(evolve, loaded.refund),
    revision: revision + events.length,
    position,
  }
}
