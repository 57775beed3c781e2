import { lunchId, parseOrderId, type Lunch } from '#kernel/id'
import {
  advanced,
  loadStreams,
  type LoadedStream,
  type StreamChange,
} from '#platform/event-store/command-handler'
import type { OrderingNeeds } from '../ports'
import { awayOn, claimOf, slotConflict, type MealSlot, type SlotEvent } from './meal-slot'
import { mealSlot } from './meal-slot.decide'
import type { Order } from './order'

export type OtherIds = ReadonlyMap<number, readonly number[]>

/**
 * `twins`: the other slots of the same child and date, under merged numbers (docs/decisions/0031), and orders of other days that were moved
 * there (0059). One lunch a date over all of them; `ids` are its lunch ids.
 */
export type DaySlot = LoadedStream<MealSlot, SlotEvent> & {
  twins: readonly MealSlot[]
  ids: readonly string[]
}
export type DaySlots = ReadonlyMap<string, DaySlot>

/** By lunch id. `otherIds` are asked for unless given. */
export const loadSlots = async (
  needs: OrderingNeeds,
  lunches: readonly Lunch[],
  otherIds?: OtherIds,
): Promise<DaySlots> => {
  const [loaded, merged] = await Promise.all([
    loadStreams(needs.eventStore, mealSlot, lunches),
    mergedSlots(needs, lunches, otherIds),
  ])
  const slots = [...merged]
  for (const [place, lunch] of lunches.entries())
    slots.push({ of: lunchId(lunch), lunch, state: loaded[place]!.state })
  const beside = [...merged, ...(await guestsOf(needs, slots))]
  return new Map(
    lunches.map((lunch, place) => {
      const of = lunchId(lunch)
      const twins = beside.filter((one) => one.of === of).map(({ state }) => state)
      const twinIds = merged.filter((one) => one.of === of).map(({ lunch }) => lunchId(lunch))
      return [of, { ...loaded[place]!, twins, ids: [of, ...twinIds] }]
    }),
  )
}

type SlotOfDay = { of: string; lunch: Lunch; state: MealSlot }

const mergedSlots = async (
  { eventStore, identity }: OrderingNeeds,
  lunches: readonly Lunch[],
  otherIds?: OtherIds,
): Promise<SlotOfDay[]> => {
  const others =
    otherIds ?? (await identity.otherIdsOf([...new Set(lunches.map(({ studentId }) => studentId))]))
  const twins = lunches.flatMap((lunch) =>
    (others.get(lunch.studentId) ?? []).map((studentId) => ({
      of: lunchId(lunch),
      lunch: { ...lunch, studentId },
    })),
  )
  if (twins.length === 0) return []
  const slots = await loadStreams(
    eventStore,
    mealSlot,
    twins.map(({ lunch }) => lunch),
  )
  return twins.map((twin, place) => ({ ...twin, state: slots[place]!.state }))
}

const guestsOf = async (
  { eventStore }: OrderingNeeds,
  slots: readonly SlotOfDay[],
): Promise<Pick<SlotOfDay, 'of' | 'state'>[]> => {
  const guests: { of: string; lunch: Lunch; home: Lunch }[] = []
  for (const { of, lunch, state } of slots)
    for (const orderId of new Set(state.guests.values()))
      guests.push({ of, lunch, home: parseOrderId(orderId)!.lunch })
  if (guests.length === 0) return []
  const homes = await loadStreams(
    eventStore,
    mealSlot,
    guests.map(({ home }) => home),
  )
  return guests.map(({ of, lunch }, place) => ({ of, state: awayOn(homes[place]!.state, lunch) }))
}

type Asking = [attemptId: string, at: Date]

/** The child has the day under any of its numbers. */
export const dayConflict = ({ state, twins }: DaySlot, ...asking: Asking) =>
  [state, ...twins].flatMap((slot) => slotConflict(slot, ...asking) ?? [])[0] ?? null

export const slotFor = ({ state, twins }: DaySlot, ...asking: Asking): MealSlot =>
  twins.find((slot) => slotConflict(slot, ...asking) !== null) ?? state

/** For an order that comes to stand on the day of another stream: append `claim` before it and `release` after it. */
export const claimed = (loaded: DaySlot, order: Order, asked: { changeId: string; now: Date }) => {
  const events = [claimOf(order, asked)]
  const after = advanced(mealSlot, loaded, events)
  const { slot, mealDate } = events[0]!.data
  const release = {
    kind: 'release',
    meal: { slot, mealDate },
    attemptId: asked.changeId,
    now: asked.now,
  } as const
  return {
    claim: { loaded, events, alone: true },
    release: { loaded: after, events: mealSlot.decide(release, after.state) },
  } satisfies Record<string, StreamChange>
}
