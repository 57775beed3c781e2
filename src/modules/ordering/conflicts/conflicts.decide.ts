import { allergensMet } from '#contracts/allergens'
import type { SchoolDate } from '#kernel/school-time'
import type { AcknowledgedBy, AllergensOfMeal, MealInConflict } from '../needs'

/** An order that is still to be eaten; `acknowledged` as it was ordered or changed. */
export type UpcomingMeal = Omit<MealInConflict, 'allergens'> & { acknowledged: boolean }

/** A meal of which the child is allergic to something that the family has not accepted. */
export type Conflict = MealInConflict & {
  /** Whether the office has accepted it, as it gave the child this meal. */
  acceptedByOffice: boolean
}

type Accepted = AllergensOfMeal & { by: AcknowledgedBy }

/** What is looked at: what children are allergic to, what items contain, and what was accepted with which meals. */
export type ConflictFacts = {
  allergies: ReadonlyMap<number, readonly string[]>
  allergens: ReadonlyMap<number, readonly string[]>
  accepted: readonly Accepted[]
}

const mealKey = ({ studentId, date, itemId }: { studentId: number; date: SchoolDate; itemId: number }) =>
  `${studentId}.${date}.${itemId}`

/**
 * Those of the meals that the child is allergic to, with what of it was not accepted. What was accepted counts for an
 * order alone that says so, and for the allergens alone that were known then.
 */
export const conflictsAmong = (
  meals: readonly UpcomingMeal[],
  { allergies, allergens, accepted }: ConflictFacts,
): Conflict[] => {
  const acceptedOf = new Map(accepted.map((one) => [mealKey(one), one]))
  return meals.flatMap(({ acknowledged, ...meal }): Conflict[] => {
    const met = allergensMet(allergies.get(meal.studentId), allergens.get(meal.itemId))
    const known = acknowledged ? acceptedOf.get(mealKey(meal)) : undefined
    const asked = new Set(allergensMet(known?.allergens, met))
    const open = met.filter((name) => !asked.has(name))
    if (open.length > 0) return [{ ...meal, allergens: open, acceptedByOffice: false }]
    return met.length > 0 && known?.by === 'office'
      ? [{ ...meal, allergens: met, acceptedByOffice: true }]
      : []
  })
}

/** The students and items of which one cannot eat the other, pair by pair. */
export const pairsInConflict = ({
  allergies,
  allergens,
}: Pick<ConflictFacts, 'allergies' | 'allergens'>): { studentId: number; itemId: number }[] =>
  [...allergies].flatMap(([studentId, avoided]) =>
    [...allergens].flatMap(([itemId, contained]) =>
      allergensMet(avoided, contained).length > 0 ? [{ studentId, itemId }] : [],
    ),
  )
