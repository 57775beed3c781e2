import { lunchId, type Lunch } from '#kernel/id'
import { loadStreams } from '#platform/event-store/command-handler'
import type { OrderingNeeds } from '../needs'
import type { MealSlot } from './meal-slot'
import { mealSlot } from './meal-slot.decide'

export type TwinSlot = { id: string; state: MealSlot }

/** Slots of the same child and date under merged numbers (docs/decisions/0031): one lunch a date over all of them. */
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
