import { fold } from '#kernel/decider'
import { slotId } from '#kernel/id'
import type { SlotKey } from '#kernel/id'
import { noStream } from '#platform/event-store/event-store'
import type { EventStore, Position, RecordedEvent, StreamAppend } from '#platform/event-store/event-store'
import { stampEvents, type Stamp } from '#platform/event-store/command-handler'
import { readSlotEvent, slotStream } from './meal-slot'
import type { MealSlot, SlotEvent } from './meal-slot'
import { mealSlot } from './meal-slot.decide'

/** A slot as its stream told it: `revision` to append at, `position` of its last event (null when it has none). */
export type LoadedSlot = {
  key: SlotKey
  slot: MealSlot
  events: SlotEvent[]
  revision: number
  position: Position | null
}

/** By slot id. */
export type LoadedSlots = ReadonlyMap<string, LoadedSlot>

/** Reads the streams of these slots at once; a slot that was never touched is free. */
export const loadSlots = async (
  eventStore: Pick<EventStore, 'read'>,
  keys: readonly SlotKey[],
): Promise<LoadedSlots> => {
  const wanted = new Map(keys.map((key) => [slotId(key), key]))
  const recorded = await eventStore.read([...wanted.values()].map(slotStream))
  return new Map([...wanted].map(([id, key]) => [id, loaded(key, recorded.get(slotStream(key)) ?? [])]))
}

const loaded = (key: SlotKey, recorded: readonly RecordedEvent[]): LoadedSlot => {
  const events = recorded.flatMap((event) => readSlotEvent(event) ?? [])
  const last = recorded.at(-1)
  return {
    key,
    slot: fold(mealSlot, events),
    events,
    revision: last?.revision ?? noStream,
    position: last?.position ?? null,
  }
}

/** The slot of this key among those loaded; asking for another is a fault. */
export const slotAmong = (slots: LoadedSlots, key: SlotKey): LoadedSlot => {
  const found = slots.get(slotId(key))
  if (!found) throw new Error(`Slot ${slotId(key)} was not loaded`)
  return found
}

/** These events on that slot, at the revision it was loaded at; no events is nothing to append. */
export const slotAppend = (
  { key, revision }: LoadedSlot,
  events: readonly SlotEvent[],
  stamp: Stamp,
): StreamAppend[] =>
  events.length === 0
    ? []
    : [{ stream: slotStream(key), expectedRevision: revision, events: stampEvents(events, stamp) }]
