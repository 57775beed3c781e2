import { lunchId, type Lunch } from '#kernel/id'
import { loadStreams } from '#platform/event-store/command-handler'
import type { OrderingNeeds } from '../ports'
import type { MealSlot } from './meal-slot'
import { mealSlot } from './meal-slot.decide'

export type OtherIds = ReadonlyMap<number, readonly number[]>
type TwinSlot = { id: string; state: MealSlot }

/** Slots of the same child and date under merged numbers (docs/decisions/0031): one lunch a date over all of them. */
export const twinSlots = async (
  { eventStore, identity }: OrderingNeeds,
  lunches: readonly Lunch[],
  otherIds?: OtherIds,
): Promise<ReadonlyMap<string, readonly TwinSlot[]>> => {
  const others =
    otherIds ?? (await identity.otherIdsOf([...new Set(lunches.map(({ studentId }) => studentId))]))
  const twins = lunches.flatMap((lunch) =>
    (others.get(lunch.studentId) ?? []).map((studentId) => ({
      of: lunchId(lunch),
      twin: { ...lunch, studentId },
    })),
  )
  if (twins.length === 0) return new Map()
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
