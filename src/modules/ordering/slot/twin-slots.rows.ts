import { lunchId, type Lunch } from '#kernel/id'
import { loadStreams } from '#platform/event-store/command-handler'
import type { OrderingNeeds } from '../needs'
import type { MealSlot } from './meal-slot'
import { mealSlot } from './meal-slot.decide'

/** `id` of its lunch. */
export type TwinSlot = { id: string; state: MealSlot }

/**
 * By the ids of these lunches: the slots that the same child has on that date under its other numbers, when it was entered
 * twice and merged (docs/decisions/0031). One lunch a date is promised over all of them.
 */
export const twinSlots = async (
  { eventStore, identity }: OrderingNeeds,
  lunches: readonly Lunch[],
): Promise<ReadonlyMap<string, readonly TwinSlot[]>> => {
  const others = await identity.otherIdsOf([...new Set(lunches.map(({ studentId }) => studentId))])
  if (others.size === 0) return new Map()
  const twins = lunches.flatMap((lunch) =>
    (others.get(lunch.studentId) ?? []).map((studentId) => ({
      of: lunchId(lunch),
      twin: { ...lunch, studentId },
    })),
  )
  const slots = await loadStreams(
    eventStore,
    mealSlot,
    twins.map(({ twin }) => twin),
  )
  const found = new Map<string, TwinSlot[]>()
  for (const [index, { of, twin }] of twins.entries())
    found.set(of, [...(found.get(of) ?? []), { id: lunchId(twin), state: slots[index]!.state }])
  return found
}
